// The command as a user runs it, on the real CLI and with the real embedding model, and how well that model finds things.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { countHits, evaluate, rememberVectors } from '../evaluation/evaluate.js';
import { renderBriefing } from '../page/terminal-page.js';
import { createLocalEmbedder } from '../src/embed.js';
import { openIndex } from '../src/guideline-index.js';
import {
  briefByScript,
  briefingCiting,
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
  const embedder = rememberVectors(createLocalEmbedder());
  index = await openIndex({ file: join(place.folder, 'data', 'guidelines.db'), guidelines, embedder });
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
  const child = spawn(process.execPath, ['--import', 'jiti/register', 'src/main.ts', ...words], {
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
  assert.equal(code, 3);
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
    assert.match(refusals.join(), /^✖ G-042 was not returned by a search/);
    const found = new Set(searches.flatMap((each: { found: string[] }) => each.found));
    for (const { citations } of [...briefing.flags, ...briefing.actions])
      for (const { guideline } of citations) assert.ok(found.has(guideline));
    assert.match(briefing.summary, /by a script, not by a model/);
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

test('fused search finds more of the paraphrased questions than either ranking alone', async () => {
  const hits = await evaluate(index);
  const [words, meaning, fused] = (['words', 'meaning', 'fused'] as const).map((mode) =>
    countHits(hits, mode),
  );
  assert.ok(fused! >= hits.length * 0.7, `${fused} of ${hits.length}`);
  assert.ok(fused! > words! && fused! > meaning!, `words ${words}, meaning ${meaning}, fused ${fused}`);
});

test('the page fits its width, numbers its evidence, and shows control characters of a model as nothing', async () => {
  const metformin = guidelines.find(({ id }) => id === 'G-001')!;
  const good = briefingCiting(metformin);
  const evil = { ...good, summary: `\u001b[2J\u001b]0;owned\u0007${good.summary}\u0000\n`.repeat(3) };
  const search = toolUse(SEARCH, { query: 'metformin eGFR' });
  const written = await briefByScript([search, structuredOutput(evil)]);
  for (const width of [48, 72, 100]) {
    const facts = { file: 'x.json', patient, today: TODAY, written };
    const page = renderBriefing(facts, { width, colours: true });
    const plain = stripVTControlCharacters(page);
    for (const line of plain.split('\n')) assert.ok(line.length <= width, `${width}: ${line}`);
    assert.doesNotMatch(plain.replaceAll('\n', ''), /\p{Cc}/u);
    assert.ok(!page.includes('\u001b[2J') && !page.includes('\u0007'));
    assert.match(plain, /◆ critical {2}eGFR 28 .*\[1\]/);
    assert.match(plain, /\[1\] G-001/);
    assert.equal(renderBriefing(facts, { width, colours: false }), plain);
  }
});
