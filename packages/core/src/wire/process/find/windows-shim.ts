// Reads from a shim which program it starts. Shims are the small `.cmd`, `.ps1` and `sh` files that npm, pnpm and yarn
// put on PATH. Windows cannot start them without a shell, and a shell would damage arguments.
import type { OperatingSystem } from '../operating-system.js';

const SHIM_EXTENSIONS = new Set(['.cmd', '.bat', '.ps1']);
const LONGEST_SHIM = 16 * 1024;
// Matches the shim's own folder, as each kind of shim writes it, and then the path from there, up to the closing quote.
const TARGET = /"(?:%~dp0|%dp0%|\$basedir|\$\{basedir\}|\$PSScriptRoot)[\\/]?([^"%$]+?\.(?:exe|[cm]?js))"/gi;

/** Whether a path is named like a command file that only a shell can start. */
export function isShimName(path: string, os: OperatingSystem): boolean {
  return os.platform === 'win32' && SHIM_EXTENSIONS.has(os.path.extname(path).toLowerCase());
}

/** The program that a shim starts; undefined when the file is no shim, or its target does not exist. */
export function resolveShim(path: string, os: OperatingSystem): string | undefined {
  const facts = os.statFile(path);
  if (facts?.kind !== 'file' || facts.size > LONGEST_SHIM) return undefined;
  const text = os.readText(path) ?? '';
  for (const [, relative = ''] of text.matchAll(TARGET)) {
    // The first quoted program is often the runtime beside the shim, not the program that it runs.
    if (/^(?:node|bun|deno)\.exe$/i.test(relative)) continue;
    const target = os.path.resolve(os.path.dirname(path), relative);
    if (os.statFile(target)?.kind === 'file') return target;
  }
  return undefined;
}
