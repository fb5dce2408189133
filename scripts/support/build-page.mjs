// Builds the page of the inspector: one script, one style sheet, and the licences of what is in the script. The server sends
// the two as files, and `inboard trace html` puts them into the page it writes.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = join(root, 'src', 'inspector', 'page');

const BUNDLED = ['preact', '@preact/signals', '@preact/signals-core'];

/** Writes page.js, page.css and LICENSES.txt into a folder; gives the sizes of the first two in bytes. */
export async function buildPage(folder) {
  mkdirSync(folder, { recursive: true });
  await build({
    cwd: root,
    logLevel: 'warn',
    input: join(source, 'main.tsx'),
    platform: 'browser',
    tsconfig: join(root, 'tsconfig.page.json'),
    resolve: { alias: { 'node:util': join(source, 'node-util.ts') } },
    output: { file: join(folder, 'page.js'), format: 'iife', minify: true, comments: false },
  });
  const style = readStyle();
  writeFileSync(join(folder, 'page.css'), style);
  writeFileSync(join(folder, 'LICENSES.txt'), readLicences());
  return { script: readFileSync(join(folder, 'page.js')).length, style: Buffer.byteLength(style) };
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
