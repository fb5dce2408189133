// What one version stores, another reads: every version that was ever written is read with the same meaning, a newer one is
// refused, and what is written today has the shape of the newest recording (scripts/record-formats.mjs makes them).
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FORMATS, writeFormat } from '../../scripts/support/formats/write-formats.mjs';
import * as inboard from '../../packages/inboard/src/index.js';
import * as testing from '../../packages/inboard/src/testing.js';
import { buildTimeline, openTape, readTrace } from '../../packages/inboard/src/trace.js';
import { foldFacts } from '../../packages/core/src/record/calls/fold-facts.js';
import { foldSessionSummary } from '../../packages/core/src/record/history/store/fold-session-summary.js';
import { PROJECT_ROOT } from '../package/project.js';
import { shapeOf } from './shape.js';

const RECORDED = join(PROJECT_ROOT, 'test', 'fixtures', 'formats');
const TRANSCRIPTS = join(PROJECT_ROOT, 'test', 'fixtures', 'transcripts', '2.1.325');

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'formats-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const versionsOf = (format: string): number[] =>
  readdirSync(join(RECORDED, format))
    .map((name) => Number(name.slice(1)))
    .sort((one, other) => one - other);

const newestOf = (format: string): number => versionsOf(format).at(-1) ?? 0;

/** A copy of a recording that may be changed. */
function take(format: string, version: number): string {
  const copy = join(folder, format);
  cpSync(join(RECORDED, format, `v${version}`), copy, { recursive: true });
  // As they were written, and not as they were checked out: approvals that others could have changed do not count.
  chmodSync(copy, 0o700);
  for (const name of readdirSync(copy)) chmodSync(join(copy, name), 0o600);
  return copy;
}

const readLines = (file: string): Record<string, unknown>[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** The shapes of what is in a folder, by file; of a trace by kind of event, because how many there are is no matter of the format. */
function shapesOf(format: string, where: string): Record<string, string[]> {
  return Object.fromEntries(
    readdirSync(where)
      .sort()
      .map((name) => {
        const file = join(where, name);
        // Frames and entries are the CLI's; those of our own are of a type each.
        const values =
          format === 'trace' || /^inboard-calls.*\.(?:jsonl|tail)$/.test(name)
            ? readLines(file).map((event) => shapeOf(event, new Set(['frame'])))
            : [shapeOf(JSON.parse(readFileSync(file, 'utf8')))];
        // The name of a large fact has an id of its own.
        return [name.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '<id>'), [...new Set(values)].sort()];
      }),
  );
}

describe.each(Object.keys(FORMATS))('%s', (format) => {
  it('is written today as the newest recording has it', async () => {
    const now = join(folder, 'now');
    const version = await writeFormat(format, now, { ...inboard, testing, transcripts: TRANSCRIPTS });
    const newest = newestOf(format);
    const hint = `Raise the version and run scripts/record-formats.mjs, as RECIPES.md says ("To change a stored format")`;
    expect(version, hint).toBe(newest);
    expect(shapesOf(format, now), hint).toEqual(shapesOf(format, join(RECORDED, format, `v${newest}`)));
  });
});

it.each([
  ['trace', 'trace'],
  ['approvals', 'approvals in files'],
  ['calls', 'records of calls in files'],
])('the table of docs/data-lifetime/formats.md has the version of %s', (format, name) => {
  const page = readFileSync(join(PROJECT_ROOT, 'docs', 'data-lifetime', 'formats.md'), 'utf8');
  expect(page).toMatch(new RegExp(`^\\| ${name} \\| ${newestOf(format)}[ ;]`, 'm'));
});

describe('traces', () => {
  it.each(versionsOf('trace'))('of version %i are read, shown and replayed', async (version) => {
    const copy = take('trace', version);
    const trace = await readTrace(join(copy, 'session.jsonl'));
    expect(trace.problems).toEqual([]);
    expect(trace.end).toMatchObject({ exitCode: 0, frames: 16 });
    const { spans } = buildTimeline(trace);
    expect(spans.map(({ kind }) => kind)).toContain('handler');
    const limited = await readTrace(join(copy, 'limits.jsonl'));
    expect(limited.steps.map(({ type }) => type)).toContain('gap');
    expect(limited.steps.some((step) => 'truncated' in step)).toBe(true);
    const tape = await openTape(join(copy, 'session.jsonl'), { tools: 'taped' });
    const { text } = await inboard.run({ prompt: tape.prompt, options: { transport: tape.transport } });
    expect(text).toBe('Seven.');
    expect(tape.report()).toMatchObject({ ok: true });
  });

  it('of a version to come are refused by every reader, with who wrote them and what to do', async () => {
    const known = newestOf('trace');
    const file = join(take('trace', known), 'session.jsonl');
    const newer = readFileSync(file, 'utf8')
      .replace(`"version":${known}`, '"version":99')
      .replace(/"inboard":"[^"]+"/, '"inboard":"7.1.0"');
    writeFileSync(file, newer);
    const refusal = {
      code: 'TRACE_UNREADABLE',
      file,
      message: expect.stringMatching(
        new RegExp(`inboard 7\\.1\\.0 in version 99.*reads up to version ${known}\\. Update`),
      ) as string,
    };
    await expect(readTrace(file)).rejects.toMatchObject(refusal);
    await expect(openTape(file)).rejects.toMatchObject(refusal);
  });

  it('may have events and fields that this version does not know', async () => {
    const file = join(take('trace', newestOf('trace')), 'session.jsonl');
    const [header = '', ...rest] = readFileSync(file, 'utf8').split('\n');
    const unknown = '{"type":"moon","t":1}';
    writeFileSync(file, [header.replace('{', '{"mood":"good",'), unknown, ...rest].join('\n'));
    const trace = await readTrace(file);
    expect(trace.end).toBeDefined();
    expect(trace.problems).toEqual(['Line 2 is not a trace event, and was left out']);
  });
});

describe('approvals', () => {
  it.each(versionsOf('approvals'))('of version %i are listed, answered and removed', async (version) => {
    const store = inboard.createFileApprovalStore(take('approvals', version));
    const all = await store.list();
    expect(all.map(({ id }) => id).sort()).toEqual(['ask_denied_1', 'call_allowed_1', 'call_open_1']);
    expect(await store.get('call_allowed_1')).toEqual({
      id: 'call_allowed_1',
      kind: 'permission',
      attempt: 2,
      askedAt: 1_794_000_000_000,
      sessionId: '11111111-1111-4111-8111-111111111111',
      toolName: 'Bash',
      input: { command: 'ls' },
      title: 'Run ls?',
      suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
      answer: {
        result: { behavior: 'allow', updatedInput: { command: 'ls -l' } },
        answeredAt: 1_794_000_000_500,
        by: 'ann',
      },
    });
    expect((await store.get('ask_denied_1'))?.answer?.result).toEqual({
      behavior: 'deny',
      message: 'Too much.',
    });
    // The first answer stays, whichever version gave it.
    const late = { result: inboard.allow(), answeredAt: 1 };
    expect(await store.answer('ask_denied_1', late)).toBe(false);
    expect(await store.answer('call_open_1', late)).toBe(true);
    await store.remove('call_allowed_1');
    expect(await store.get('call_allowed_1')).toBeUndefined();
  });

  it.each(['call_allowed_1.question.json', 'call_allowed_1.answer.json'])(
    'of a version to come are skipped, and left as they are: %s',
    async (name) => {
      const known = newestOf('approvals');
      const copy = take('approvals', known);
      const file = join(copy, name);
      const newer = readFileSync(file, 'utf8').replace(`"version":${known}`, `"version":${known + 1}`);
      writeFileSync(file, newer);
      const store = inboard.createFileApprovalStore(copy);
      const refusal = {
        code: 'STORED_FORMAT_TOO_NEW',
        version: known + 1,
        supported: known,
        file,
        message: expect.stringContaining('update the package') as string,
      };
      const others = (await store.list()).filter(({ id }) => id !== 'call_allowed_1');
      expect(others.map(({ id }) => id).sort()).toEqual(['ask_denied_1', 'call_open_1']);
      expect((await store.get('call_allowed_1'))?.answer).toBeUndefined();
      const late = { result: inboard.allow(), answeredAt: 1 };
      await expect(store.answer('call_allowed_1', late)).rejects.toMatchObject(refusal);
      expect(readFileSync(file, 'utf8')).toBe(newer);
    },
  );

  it('keep fields that this version does not know', async () => {
    const copy = take('approvals', newestOf('approvals'));
    const file = join(copy, 'call_open_1.question.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{"mood":"good",'));
    expect(await inboard.createFileApprovalStore(copy).get('call_open_1')).toMatchObject({
      mood: 'good',
      toolName: 'Bash',
    });
  });
});

describe('records of calls', () => {
  it.each(versionsOf('calls'))('of version %i are read with the same meaning', async (version) => {
    const facts = await inboard.createFileCallRecords({ folder: take('calls', version) }).load();
    const calls = foldFacts(facts);
    expect(calls.covers('33333333-3333-4333-8333-333333333333')).toBe(true);
    expect(calls.covers('22222222-2222-4222-8222-222222222222')).toBe(false);
    const at = 1_794_000_000_000;
    const paid = { content: [{ type: 'text', text: 'paid' }], isError: false };
    expect(calls.findByToolUseId('toolu_1')).toEqual({
      callKey: 'call_1',
      toolUseId: 'toolu_1',
      toolName: 'mcp__shop__pay',
      input: { order: 7 },
      asked: {
        question: {
          title: 'Pay?',
          suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
        },
        at,
      },
      answered: { answer: { behavior: 'allow', updatedInput: { order: 8 } }, by: 'ann', at },
      begun: { owner: 'desk', attempt: 2, ranInput: { order: 8 }, at },
      isWaiting: false,
      ended: { result: paid, at },
    });
    expect(calls.get('call_2')).toEqual({ callKey: 'call_2', isWaiting: false, withdrawn: { at } });
    expect(JSON.stringify(calls.get('call_large')?.ended?.result)).toContain('x'.repeat(300_000));
    expect(calls.list()).toHaveLength(3);
  });

  it('of a version to come are skipped, line by line, and left as they are', async () => {
    const known = newestOf('calls');
    const copy = take('calls', known);
    const file = join(copy, 'inboard-calls.jsonl');
    const newer = readFileSync(file, 'utf8').replace(
      /\{"v":\d+,("id":"[^"]+","type":"ended","callKey":"call_1")/,
      `{"v":${known + 1},$1`,
    );
    writeFileSync(file, newer);
    const records = inboard.createFileCallRecords({ folder: copy });
    const calls = foldFacts(await records.load());
    expect(calls.get('call_1')).toMatchObject({ begun: { attempt: 2 } });
    expect(calls.get('call_1')).not.toHaveProperty('ended');
    // It may be about a call that seems never to have begun.
    expect(calls.covers('33333333-3333-4333-8333-333333333333')).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe(newer);
  });

  it('keep fields and types of facts that this version does not know', async () => {
    const known = newestOf('calls');
    const copy = take('calls', known);
    const file = join(copy, 'inboard-calls.jsonl');
    const line = `{"v":${known},"id":"x-1","type":"waiting","callKey":"call_9","mood":"good","at":1}`;
    const unknown = `{"v":${known},"id":"x-2","type":"moon","at":1}`;
    writeFileSync(file, `${readFileSync(file, 'utf8')}${line}\n${unknown}\n`);
    const facts = await inboard.createFileCallRecords({ folder: copy }).load();
    expect(facts.at(-1)).toEqual({ type: 'waiting', callKey: 'call_9', mood: 'good', at: 1 });
  });
});

interface Stored {
  sessionId: string;
  appended: { key: inboard.SessionKey; entries: inboard.SessionStoreEntry[] }[];
  summaries: inboard.SessionSummaryEntry[];
}

describe('sessions in a store', () => {
  const read = (version: number): Stored =>
    JSON.parse(readFileSync(join(RECORDED, 'stored-session', `v${version}`, 'store.json'), 'utf8')) as Stored;
  const fill = async ({ appended, summaries }: Stored) => {
    const kept = new inboard.InMemorySessionStore();
    for (const { key, entries } of appended) await kept.append(key, entries);
    const sessionStore: inboard.SessionStore = {
      append: (key, entries) => kept.append(key, entries),
      load: (key) => kept.load(key),
      listSubkeys: (key) => kept.listSubkeys(key),
      listSessionSummaries: async () => summaries,
    };
    return { sessionStore, projectKey: 'shop' };
  };

  it.each(versionsOf('stored-session'))(
    'of version %i are listed and read with their subagents',
    async (version) => {
      const stored = read(version);
      const place = await fill(stored);
      const infos = await inboard.listSessions(place);
      expect(infos.map(({ customTitle, tag }) => ({ customTitle, tag }))).toContainEqual({
        customTitle: 'A title',
        tag: 'ann',
      });
      expect(infos.map(({ customTitle }) => customTitle)).toContain('A title (fork)');
      const [agent = ''] = await inboard.listSubagents(stored.sessionId, place);
      expect((await inboard.getSubagentMessages(stored.sessionId, agent, place)).length).toBeGreaterThan(0);
      expect((await inboard.getSessionMessages(stored.sessionId, place)).length).toBeGreaterThan(1);
    },
  );

  it('are read whole where a summary is of a version to come, and the summary is left as it is', async () => {
    const stored = read(1);
    const [summary] = stored.summaries;
    const newer = {
      ...summary,
      sessionId: stored.sessionId,
      mtime: 5,
      data: { version: 2, customTitle: { text: 'new' } },
    };
    stored.summaries = [newer];
    const [info] = await inboard.listSessions(await fill(stored));
    expect(info).toMatchObject({ customTitle: 'A title', tag: 'ann' });
    const key = { projectKey: 'shop', sessionId: stored.sessionId };
    expect(foldSessionSummary(newer, key, [{ type: 'tag', tag: 'x' }], { mtime: 9 })).toEqual({
      ...newer,
      mtime: 0,
    });
  });
});
