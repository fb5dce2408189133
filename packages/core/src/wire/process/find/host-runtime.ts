// Finds out which JavaScript runtime this process runs in, and whether the runtime's file can run other scripts.

/** The runtimes that can run a CLI script. */
export type Runtime = 'node' | 'bun' | 'deno';

/** The runtime that this process runs in. */
export interface HostRuntime {
  runtime: Runtime;
  /** The runtime's own file; undefined when this process is another program, such as Electron or a single-file app. */
  file: string | undefined;
}

export function detectHostRuntime(versions: NodeJS.ProcessVersions = process.versions): HostRuntime {
  const runtime = versions.bun !== undefined ? 'bun' : 'deno' in versions ? 'deno' : 'node';
  const file = process.execPath;
  // Electron, and programs compiled to a single file, report Node's version but cannot run a script.
  const isItself = new RegExp(`(?:^|[\\\\/])${runtime}(?:js|-?v?[\\d.]+)?(?:\\.exe)?$`, 'i').test(file);
  return { runtime, file: isItself && versions['electron'] === undefined ? file : undefined };
}
