// The JavaScript runtime of this process, and whether its file can run other programs.

/** The runtimes that can run a CLI script. */
export type Runtime = 'node' | 'bun' | 'deno';

/** The runtime that this process runs in. */
export interface HostRuntime {
  runtime: Runtime;
  /** The runtime's own file; undefined when this process is another program, such as Electron or a single-file app. */
  file: string | undefined;
}

/** Which runtime this process is. */
export function detectHostRuntime(versions: NodeJS.ProcessVersions = process.versions): HostRuntime {
  const runtime = versions.bun !== undefined ? 'bun' : 'deno' in versions ? 'deno' : 'node';
  const file = process.execPath;
  // Electron, and programs compiled to a single file, claim to be Node but cannot run a script.
  const isItself = new RegExp(`(?:^|[\\\\/])${runtime}(?:js|-?v?[\\d.]+)?(?:\\.exe)?$`, 'i').test(file);
  return { runtime, file: isItself && versions['electron'] === undefined ? file : undefined };
}
