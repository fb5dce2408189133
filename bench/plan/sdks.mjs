// The SDKs that are compared, as their users get them: ours from the build, the official one from the folder in which
// scripts/compare-official.mjs installs it. Neither is a dependency of the bench.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The project's root. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

const OFFICIAL = '@anthropic-ai/claude-agent-sdk';
const officialRoot = join(root, 'test', 'official');

/** Inboard as it is built, or the reason why it cannot be measured. */
export function findInboard() {
  const folder = join(root, 'dist');
  const entry = join(folder, 'entry', 'index.js');
  if (!existsSync(entry)) return { missing: 'Inboard is not built. Run "npm run build".' };
  return describeSdk({ entry, from: root, version: readVersion(root) });
}

/** A file of ours that was changed after the build; undefined where there is none. What is measured then is not what is there. */
export function findUnbuiltFile() {
  const built = statSync(join(root, 'dist', 'entry', 'index.js')).mtimeMs;
  const files = readdirSync(join(root, 'packages'), { recursive: true, withFileTypes: true });
  return files
    .filter((entry) => entry.isFile() && (entry.parentPath ?? entry.path).includes('src'))
    .map(({ parentPath, path, name }) => join(parentPath ?? path, name))
    .find((path) => statSync(path).mtimeMs > built);
}

/** The official SDK, or the reason why it is left out. */
export function findOfficial() {
  const folder = join(officialRoot, 'node_modules', OFFICIAL);
  if (!existsSync(folder)) {
    const command = 'node scripts/compare-official.mjs --install';
    return { missing: `The official SDK is not installed and is left out. To have it, run "${command}".` };
  }
  const entry = createRequire(join(officialRoot, 'package.json')).resolve(OFFICIAL);
  return describeSdk({ entry, from: officialRoot, version: readVersion(folder), folder });
}

/** The real CLI that is installed for the tests. */
export function findRealCli() {
  const folder = join(root, 'node_modules', '@anthropic-ai', 'claude-code');
  const path = join(folder, 'bin', 'claude.exe');
  if (!existsSync(path)) return { missing: 'The real CLI is not installed: run "npm install".' };
  return { path, version: readVersion(folder) };
}

function describeSdk({ entry, from, version, folder }) {
  const zod = createRequire(join(from, 'package.json')).resolve('zod');
  return { url: pathToFileURL(entry).href, zodUrl: pathToFileURL(zod).href, version, folder };
}

function readVersion(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
}
