// Runs the cases of one subject inside Windows, one after another, and writes a line of JSON about each into a file.
// The first line has the names of all its cases.
//   node.exe play.mjs <subject> <file for the results> <folder of the run> <names of the cases to run, as JSON; all where there is none>
import { appendFileSync, mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

const LIMIT_MS = 60_000;
const [subject, results, root, names = '[]'] = process.argv.slice(2);
const wanted = JSON.parse(names);

// A person's folders have spaces and letters beyond ASCII.
const home = join(root, `Zoë ${subject}`);
const folders = {
  temporary: join(home, 'Temp files'),
  config: join(home, '.claude'),
  local: join(home, 'Local'),
};
for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true });
Object.assign(process.env, {
  USERPROFILE: home,
  LOCALAPPDATA: folders.local,
  APPDATA: folders.local,
  TEMP: folders.temporary,
  TMP: folders.temporary,
  CLAUDE_CONFIG_DIR: folders.config,
  NO_COLOR: '1',
  INBOARD_CACHE: 'off',
});

const { CASES } = await import(new URL(`cases/${subject}.mjs`, import.meta.url).href);

const { endStarted } = await import(new URL('support.mjs', import.meta.url).href);
appendFileSync(results, `${JSON.stringify({ names: Object.keys(CASES) })}\n`);

for (const [name, play] of Object.entries(CASES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const begun = performance.now();
  const later = [];
  const place = mkdtempSync(join(home, 'a place '));
  let error;
  let timer;
  try {
    const limit = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no end within ${LIMIT_MS} ms`)), LIMIT_MS);
    });
    const context = { place, home, root, after: (undo) => void later.unshift(undo) };
    await Promise.race([play(context), limit]);
  } catch (thrown) {
    error = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  } finally {
    clearTimeout(timer);
  }
  if (error !== undefined) endStarted();
  for (const undo of later) {
    try {
      await undo();
    } catch (thrown) {
      error ??= `afterwards: ${thrown?.stack ?? thrown}`;
    }
  }
  try {
    await rm(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  } catch (thrown) {
    // What cannot be removed is still open.
    error ??= `left open: ${thrown.message}`;
  }
  appendFileSync(results, `${JSON.stringify({ name, error, ms: Math.round(performance.now() - begun) })}\n`);
}
