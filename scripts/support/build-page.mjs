// Builds the page of the inspector: its style, its script in parts for the server, which sends what is looked at first in one
// and the other views as they are wanted, the same script whole for the page that `inboard trace html` writes, and the
// licences of what is in it. All but the licences are compressed, as they are sent.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = join(root, 'packages', 'inspector', 'src', 'page');

const BUNDLED = ['preact', '@preact/signals', '@preact/signals-core'];

/** Writes the page into a folder, in place of what is there. */
export async function buildPage(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const input = {
    cwd: root,
    logLevel: 'warn',
    write: false,
    input: { page: join(source, 'main.tsx') },
    platform: 'browser',
    tsconfig: join(root, 'tsconfig.page.json'),
    resolve: { alias: { 'node:util': join(source, 'node-util.ts') } },
  };
  const output = { minify: true, comments: false };
  const parts = await build({
    ...input,
    output: {
      ...output,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'part-[name]-[hash].js',
    },
  });
  const whole = await build({
    ...input,
    output: { ...output, format: 'iife', codeSplitting: false, entryFileNames: 'whole.js' },
  });
  const files = [...parts.output, ...whole.output].map(({ fileName, code }) => [fileName, code]);
  for (const [name, text] of [...files, ['page.css', readStyle()]])
    writeFileSync(join(folder, `${name}.gz`), gzipSync(text, { level: 9 }));
  // Written last, so that a process that finds this file finds all of them.
  writeFileSync(join(folder, 'LICENSES.txt'), readLicences());
}

/** The tokens first, as everything uses them, then what is for all views, then each view's own. */
function readStyle() {
  const paths = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.css'))
    .sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
  return paths
    .map((path) => readFileSync(join(source, path), 'utf8'))
    .join('\n')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\n\s*/g, '\n')
    .trim();
}

function rank(path) {
  if (path.endsWith('tokens.css')) return 0;
  if (path.startsWith('style')) return 1;
  return path.startsWith('components') ? 2 : 3;
}

function readLicences() {
  const texts = BUNDLED.map((name) => {
    const { version } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
    return `${name} ${version}\n\n${readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8').trim()}\n`;
  });
  return `The script beside this file contains these packages.\n\n${texts.join('\n---\n\n')}`;
}
