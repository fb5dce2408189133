// Takes the pictures that the READMEs of the examples show. An example with a page brings itself into a state worth seeing
// (scripts/support/example-pictures); of the others, what they print is drawn. Needs `npm run build`, and the examples
// installed by `node scripts/run-examples.mjs --install`.
//   node scripts/take-example-pictures.mjs [--only <text>]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { drawTerminal } from './support/draw-terminal.mjs';
import { listExamples, refreshExample } from './support/example-places.mjs';
import { startBrowser } from './support/load-browser.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const LOOK = { width: 1280, height: 800, scale: 1.5 };
const MOST_BYTES = 250_000;
const COLUMNS = 110;

const { values } = parseArgs({ options: { only: { type: 'string' } } });
for (const name of listExamples().filter((each) => each.includes(values.only ?? ''))) {
  const preparation = join(root, 'scripts', 'support', 'example-pictures', `${name}.mjs`);
  const folder = refreshExample(name);
  const [file, picture] = existsSync(preparation)
    ? ['picture.png', await photograph(await import(pathToFileURL(preparation).href), folder)]
    : ['picture.svg', drawOutput(name, folder)];
  const path = join(root, 'examples', name, file);
  writeFileSync(path, picture);
  const { size } = statSync(path);
  if (size > MOST_BYTES)
    throw new Error(`${path} has ${size} bytes; at most ${MOST_BYTES} are meant to be kept.`);
  console.log(`${path}: ${Math.round(size / 1000)} kB`);
}

/** `prepare` starts the example and gives its address; `act`, if there is one, does the rest in the page. */
async function photograph({ prepare, act, look }, folder) {
  const place = mkdtempSync(join(tmpdir(), 'inboard-picture-'));
  const browser = await startBrowser(place);
  try {
    const { url, close } = await prepare({ folder, dataDir: join(place, 'data') });
    try {
      const page = await browser.open(url, { ...LOOK, ...look });
      await act?.(page);
      await page.settle();
      return await page.capture();
    } finally {
      await close();
    }
  } finally {
    await browser.close();
    rmSync(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

function drawOutput(name, folder) {
  const { stdout, stderr, status } = spawnSync('npm', ['start', '--silent'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, FORCE_COLOR: '1', COLUMNS: String(COLUMNS), ANTHROPIC_API_KEY: '' },
  });
  if (status !== 0) throw new Error(`${name} ended with ${status}:\n${stdout}${stderr}`);
  return drawTerminal(stdout, `What ${name} prints`);
}
