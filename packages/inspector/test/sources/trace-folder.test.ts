// A folder of traces as a source: each file a session, those that come later as well.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTraceFolder } from '../../src/sources/trace-folder.js';
import { RecordedSource, type FoundFile } from '../../src/sources/recorded-source.js';
import { RememberingListener } from '../support/remembering-listener.js';
import { endLine, frameLine, headerLine, TraceFolder } from '../support/trace-lines.js';

let folder: TraceFolder;
let source: RecordedSource | undefined;

beforeEach(() => {
  folder = new TraceFolder();
});
afterEach(async () => {
  await source?.close();
  source = undefined;
  folder.remove();
});

const WHOLE = [headerLine(), frameLine(1), endLine(2, 1)];

it('makes a session of each trace, and says what it left out', async () => {
  folder.write('b.jsonl', WHOLE);
  folder.write('a.jsonl', [headerLine(), frameLine(1)]);
  folder.write('other.jsonl', ['{"type":"user"}']);
  folder.write('notes.txt', ['nothing']);
  mkdirSync(join(folder.path, 'folder.jsonl'));
  // Opening a pipe would wait for ever.
  execFileSync('mkfifo', [join(folder.path, 'pipe.jsonl')]);
  source = await openTraceFolder(folder.path);
  await source.settled();
  expect(source.sessions().map(({ id, file, events }) => [id, file, events])).toEqual([
    ['a.jsonl', join(folder.path, 'a.jsonl'), 3],
    ['b.jsonl', join(folder.path, 'b.jsonl'), 4],
  ]);
  expect(source.sessions()[0]).toMatchObject({ state: 'cut' });
  expect(source.sessions()[1]).not.toMatchObject({ state: 'cut' });
  expect(source.leftOut).toEqual([
    expect.stringMatching(/folder\.jsonl cannot be read: it is not a file/),
    expect.stringMatching(/other\.jsonl is not a trace/),
    expect.stringMatching(/pipe\.jsonl cannot be read: it is not a file/),
  ]);
  expect((await source.read('b.jsonl', 0, 10)).lines).toHaveLength(4);
});

it('reads nothing again of files that did not change', async () => {
  for (let index = 0; index < 30; index += 1) folder.write(`${index}.jsonl`, WHOLE);
  source = await openTraceFolder(folder.path);
  await source.settled();
  const { bytesRead } = source;
  await source.refresh();
  await source.settled();
  expect(source.bytesRead).toBe(bytesRead);
  expect(source.sessions()).toHaveLength(30);
});

it('finds files that come, grow and go', async () => {
  folder.write('a.jsonl', WHOLE);
  source = await openTraceFolder(folder.path);
  const listener = new RememberingListener();
  source.watch(listener);
  await source.settled();
  folder.write('b.jsonl', [headerLine({ isRunning: true })]);
  await source.refresh();
  await source.settled();
  expect(source.sessions().map(({ id }) => id)).toEqual(['a.jsonl', 'b.jsonl']);
  expect(listener.changes).toBe(1);
  folder.append('b.jsonl', `${frameLine(1)}\n`);
  await source.refresh();
  await source.settled();
  expect(listener.numbers).toEqual([3]);
  rmSync(join(folder.path, 'a.jsonl'));
  await source.refresh();
  expect(source.sessions().map(({ id }) => id)).toEqual(['b.jsonl']);
  expect(listener.changes).toBe(2);
});

it('is looked at anew for each caller, also while it is looked at already', async () => {
  const files: FoundFile[] = [];
  let hold: Promise<void> | undefined;
  source = await RecordedSource.open({
    title: 'made by hand',
    listFiles: async () => {
      const found = [...files];
      await hold;
      return found;
    },
  });
  let letGo = (): void => {};
  hold = new Promise((resolve) => (letGo = resolve));
  const underWay = source.refresh();
  // It has the names of the files by now.
  await new Promise((resolve) => setImmediate(resolve));
  files.push({ name: 'late.jsonl', path: folder.write('late.jsonl', WHOLE), shownPath: 'late.jsonl' });
  const anew = source.refresh();
  letGo();
  await Promise.all([underWay, anew]);
  expect(source.sessions().map(({ id }) => id)).toEqual(['late.jsonl']);
});

it('becomes a session once its header is written', async () => {
  folder.write('a.jsonl', []);
  source = await openTraceFolder(folder.path);
  expect(source.sessions()).toEqual([]);
  expect(source.leftOut).toEqual([expect.stringMatching(/a\.jsonl is empty/)]);
  folder.append('a.jsonl', `${headerLine()}\n`);
  await source.refresh();
  expect(source.sessions().map(({ id }) => id)).toEqual(['a.jsonl']);
  expect(source.leftOut).toEqual([]);
});

it('refuses a folder that is not there', async () => {
  await expect(openTraceFolder(join(folder.path, 'none'))).rejects.toMatchObject({
    code: 'TRACE_UNREADABLE',
  });
});
