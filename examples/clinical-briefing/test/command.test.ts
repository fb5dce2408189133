// The command as a user runs it, on the real CLI and with the real embedding model, and how well that model finds things.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { countHits, evaluate, rememberVectors } from '../evaluation/evaluate.js';
import { renderBriefing } from '../app/terminal-page.js';
import { createLocalEmbedder } from '../app/embed.js';
import { openIndex } from '../app/guideline-index.js';
import { openLibsqlStore } from '../app/guideline-store.js';
import { describeBriefing } from '../app/view.js';
import {
  briefByScript,
  GOOD,
  guidelines,
  HERE,
  makePlace,
  patient,
  SEARCH,
  TODAY,
  type Place,
} from './support.js';
import { structuredOutput, toolUse } from 'inboard/testing';

let place: Place;
let index: Awaited<ReturnType<typeof openIndex>>;
before(async () => {
  place = await makePlace();
  await mkdir(join(place.folder, 'tmp'));
  const store = await openLibsqlStore(join(place.folder, 'data', 'guidelines.db'));
  const embedder = rememberVectors(createLocalEmbedder());
  index = await openIndex({ store, guidelines, embedder });
});
after(async () => {
  index.close();
  await place[Symbol.asyncDispose]();
});

/** Runs the command; `onNote` sees what it writes to stderr and may send signals. */
async function start(
  words: readonly string[],
  onNote?: (text: string, kill: (signal: NodeJS.Signals) => void) => void,
) {
  const { ANTHROPIC_API_KEY: _, ...env } = process.env;
  const child = spawn(process.execPath, ['--import', 'jiti/register', 'app/command.ts', ...words], {
    cwd: HERE,
    env: { ...env, DATA_DIR: join(place.folder, 'data'), TMPDIR: join(place.folder, 'tmp') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    onNote?.(stderr, (signal) => child.kill(signal));
  });
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  const left = (await readdir(join(place.folder, 'tmp'))).filter((name) => name !== 'jiti'); // its own cache
  assert.deepEqual(left, [], 'nothing temporary is left');
  return { code, stdout, stderr };
}

test('several records at once: each briefing cites what it retrieved, and one that fails does not lose the others', async () => {
  const broken = join(place.folder, 'broken.json');
  await writeFile(broken, JSON.stringify({ ...patient, born: '1953-13-01' }));
  const files = ['margit-lund', 'henrik-aas', 'sara-nilsen'].map((name) => join('patients', `${name}.json`));
  const { code, stdout } = await start(['--json', ...files, broken]);
  assert.equal(code, 3, stdout);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const failed = lines.find(({ file }) => file === broken);
  assert.equal(failed.error.code, 'PATIENT_INVALID');
  assert.match(failed.error.message, /born/);
  for (const name of files) {
    const { briefing, searches, refusals } = lines.find(({ file }) => file === name);
    assert.equal(new Set(searches.map(({ query }: { query: string }) => query)).size, 3);
    assert.match(refusals.join(), /name it so[\s\S]*is too late: by what is quoted/);
    const found = new Set(searches.flatMap((each: { found: string[] }) => each.found));
    assert.ok(briefing.flags.length > 0 && briefing.actions.length > 0);
    for (const { citations } of [...briefing.flags, ...briefing.actions])
      for (const { source } of citations) assert.ok(found.has(source.split('.')[0]));
  }
});

test('Ctrl-C ends it with 130 and leaves nothing behind; a wrong argument ends it with 2', async () => {
  const cancelled = await start(['--json'], (text, kill) => {
    if (text.includes('the model is a script')) kill('SIGINT');
  });
  assert.equal(cancelled.code, 130);
  assert.equal(JSON.parse(cancelled.stdout).error.code, 'CANCELLED');
  const wrong = await start(['--jsn']);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /^USAGE: .*--jsn/);
});

test('the page lists a record that cannot be read with the reason, and goes on', async () => {
  const PATIENTS_DIR = join(place.folder, 'records');
  await mkdir(PATIENTS_DIR);
  await writeFile(join(PATIENTS_DIR, 'a good one.json'), JSON.stringify({ ...patient, name: 'Ada' }));
  await writeFile(join(PATIENTS_DIR, 'broken.json'), '{');
  await writeFile(join(PATIENTS_DIR, 'notes.txt'), 'No record.');
  const { ANTHROPIC_API_KEY: _, ...env } = process.env;
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const more = { PATIENTS_DIR, PORT: String(port), DATA_DIR: join(place.folder, 'data') };
  const child = spawn(process.execPath, ['--import', 'jiti/register', 'app/serve.ts'], {
    cwd: HERE,
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    await once(child.stdout, 'data');
    const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}/${path}`, { method });
    assert.equal((await ask('')).status, 200);
    const list = (await (await ask('patients')).json()) as { id: string; name: string; reason: string }[];
    assert.deepEqual(
      list.map(({ id, name }) => [id, name]),
      [
        ['a good one.json', 'Ada'],
        ['broken.json', 'broken.json'],
      ],
    );
    assert.match(list[1]?.reason ?? '', /broken\.json is not a patient record/);
    const told = await (await ask('briefings/broken.json', 'POST')).text();
    assert.match(told, /^\{"type":"failed","why":".*is not a patient record/);
    assert.equal((await ask('briefings/notes.txt', 'POST')).status, 404);
    const briefing = await (await ask('briefings/a%20good%20one.json', 'POST')).text();
    assert.match(briefing, /"type":"briefing","name":"Ada"/);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
});

test('the search finds as much as the README says: at least 35 of the 38 paraphrases', async () => {
  const readme = await readFile(join(HERE, 'README.md'), 'utf8');
  for (const [row, file] of [
    ['38 questions', 'questions.json'],
    ['20 questions held out', 'held-out.json'],
  ] as const) {
    const hits = await evaluate(index, join(HERE, 'evaluation', file));
    const found = (['words', 'meaning', 'fused'] as const).map((mode) => String(countHits(hits, mode)));
    const [, cells = ''] = new RegExp(`^\\| ${row} *\\|(.*)\\|$`, 'm').exec(readme) ?? [];
    assert.deepEqual(
      found,
      cells.split('|').map((cell) => cell.trim()),
      row,
    );
    if (file === 'questions.json') assert.ok(Number(found[2]) >= 35, found.join());
  }
});

test('the terminal shows values, quotes and times, and control characters of a record as nothing', async () => {
  const search = toolUse(SEARCH, { query: 'metformin eGFR, potassium on lisinopril' });
  const written = await briefByScript([search, structuredOutput(GOOD)]);
  const evil = { ...patient, reason: '\u001b[2J\u001b]0;owned\u0007tiredness\u0000\n' };
  const view = describeBriefing({ patient: evil, today: TODAY, guidelines }, written);
  const page = renderBriefing(view, true);
  assert.ok(!page.includes('\u001b[2J') && !page.includes('\u0007'));
  const plain = renderBriefing(view, false);
  assert.equal(stripVTControlCharacters(page), plain);
  assert.doesNotMatch(plain.replaceAll('\n', ''), /\p{Cc}/u);
  assert.match(plain, /critical: eGFR 28 mL\/min, low, of 2026-01-25/);
  assert.match(plain, /Stop metformin, by 2026-01-31\n {4}“Reduce metformin .*” \(G-001\.1, Metformin/);
});
