// Where a measurement happens: a folder of its own, with a home, a working directory and the fake CLIs. A fresh one each time,
// so that nothing one measurement left on disk makes the next one quicker.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cliFolder = fileURLToPath(new URL('../cli', import.meta.url));
const PACKAGE = { name: '@anthropic-ai/claude-code', version: '2.1.325', type: 'module' };
// A shorter program in a package of the CLI is taken for the placeholder that an unfinished install leaves there.
const PROGRAM_BYTES = 1024 * 1024;

/**
 * Makes the folder under `parent`. With `isPackage` the CLIs lie in an npm package, which tells their version; else in a folder
 * that tells nothing.
 */
export function createPlace(parent, isPackage) {
  const folder = mkdtempSync(join(parent, 'place-'));
  const home = join(folder, 'home');
  const cwd = join(folder, 'work');
  const bin = isPackage ? join(folder, 'node_modules', PACKAGE.name) : join(folder, 'tools');
  for (const path of [home, cwd, bin]) mkdirSync(path, { recursive: true });
  cpSync(cliFolder, bin, { recursive: true });
  if (isPackage) writeFileSync(join(bin, 'package.json'), JSON.stringify(PACKAGE));
  const quickCli = join(bin, 'claude');
  // What is added comes after the script's `exit`: the shell does not read it.
  const script = readFileSync(join(cliFolder, 'quick-cli.sh'), 'utf8');
  writeFileSync(quickCli, isPackage ? script.padEnd(PROGRAM_BYTES, '#') : script);
  chmodSync(quickCli, 0o755);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { home, cwd, cli: join(bin, 'cli.mjs'), quickCli, notes: join(folder, 'notes'), remove };
}
