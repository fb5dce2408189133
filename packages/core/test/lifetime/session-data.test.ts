// Finding and deleting what belongs to sessions, on folders made by hand; on real ones in test/e2e/session-data.long.test.ts.
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createApprovals,
  createFileApprovalStore,
  createFileCallRecords,
  createMemoryApprovalStore,
  deleteSessionData,
  findSessionData,
  InMemorySessionStore,
  openSession,
  type Approval,
  type ApprovalQuestion,
  type CallClaim,
  type SessionStore,
} from '@inboard/inboard/index.js';
import { createFakeCli, text } from '@inboard/inboard/testing.js';
import { fillPage } from '@inboard/inspector/html/page-frame.js';
import { propertyOptions } from '../../../../test/support/seed.js';
import { MadeHome, PLACES } from './made-home.js';

const A = '11111111-1111-4111-8111-111111111111';
const B = '22222222-2222-4222-8222-222222222222';
const C = '33333333-3333-4333-8333-333333333333';

let home: MadeHome;
beforeEach(() => void (home = new MadeHome()));
afterEach(() => home.remove());

const places = () => ({ env: home.env, traces: home.traces });
const question = (id: string, more: Partial<ApprovalQuestion> = {}): ApprovalQuestion => ({
  id,
  kind: 'permission',
  attempt: 1,
  askedAt: 1,
  input: {},
  ...more,
});

it('names the copies that a running process resumes from, and what a store did not take', async () => {
  const resumed = home.write(`tmp/inboard-resume-a/config/projects/-p/${A}.jsonl`, '{}');
  const kept = home.write(`tmp/inboard-kept-b/projects/-p/${A}.jsonl`, '{}');
  const { items } = await findSessionData([A], places());
  expect(items.map(({ kind, place }) => [kind, place])).toEqual(
    expect.arrayContaining([
      ['resumed-copy', resumed],
      ['transcript', kept],
    ]),
  );
});

it('deletes exactly what belongs to the sessions, whatever else lies there', async () => {
  const ids = [A, B, C];
  const file = fc.record({
    owner: fc.constantFrom(...ids),
    place: fc.constantFrom(...PLACES),
    nth: fc.integer({ min: 0, max: 3 }),
  });
  const strays = fc.array(
    fc.constantFrom(
      'config/settings.json',
      `config/plugins/cache/${A}/x.json`,
      `config/agents/${A}.md`,
      'config/projects/-p/memory/MEMORY.md',
      `config/projects/-p/notes-about.txt`,
      `home/${A}.txt`,
      `tmp/other/${A}.txt`,
    ),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(file, { maxLength: 12 }),
      strays,
      fc.subarray(ids),
      async (files, others, gone) => {
        const made = new MadeHome();
        try {
          for (const path of others) made.write(path, 'stray');
          for (const { owner, place, nth } of files) made.write(place(owner, nth), owner);
          const before = made.files();
          const expected = Object.fromEntries(
            Object.entries(before).filter(([, owner]) => !gone.includes(owner)),
          );
          const options = { env: made.env, traces: made.traces };
          expect((await deleteSessionData(gone, { ...options, dryRun: true })).isDryRun).toBe(true);
          expect(made.files()).toEqual(before);
          const report = await deleteSessionData(gone, options);
          expect(report.kept).toEqual([]);
          expect(made.files()).toEqual(expected);
          expect((await deleteSessionData(gone, options)).deleted).toEqual([]);
        } finally {
          made.remove();
        }
      },
    ),
    propertyOptions(10),
  );
});

describe('ids and filters', () => {
  it.each(['../x', '', 'a', `${A}/..`, `${A}\n`, '*', 7, null])(
    'refuse %j before anything is deleted',
    async (bad) => {
      home.transcript(A);
      await expect(deleteSessionData([A, bad as string], places())).rejects.toMatchObject({
        code: 'INVALID_OPTIONS',
      });
      expect(Object.keys(home.files())).toHaveLength(1);
    },
  );

  it('refuse a variable that is not set, as programs without types pass it', async () => {
    for (const none of [undefined, null]) {
      await expect(findSessionData(none as unknown as string, places())).rejects.toMatchObject({
        code: 'INVALID_OPTIONS',
      });
    }
  });

  it('refuse a filter that says nothing', async () => {
    await expect(deleteSessionData({}, places())).rejects.toThrow(/where: \(\) => true/);
  });

  it('find a tag wherever it stands, and the last one counts', async () => {
    const long = Array.from({ length: 400 }, (_, nth) => ({
      type: 'user',
      uuid: `u${nth}`,
      text: 'x'.repeat(1000),
    }));
    home.transcript(A, { entries: [{ type: 'tag', tag: 'ann' }, ...long] });
    home.transcript(B, {
      entries: [
        { type: 'tag', tag: 'ann' },
        { type: 'tag', tag: '' },
      ],
    });
    home.transcript(C, {
      entries: [
        { type: 'tag', tag: 'bob' },
        { type: 'tag', tag: 'ann' },
      ],
    });
    expect((await findSessionData({ tag: 'ann' }, places())).sessionIds.sort()).toEqual([A, C]);
  });

  it('ask about every session, also one with nothing to show', async () => {
    home.transcript(A);
    home.transcript(B, { entries: [{ type: 'mode', mode: 'normal' }] });
    const asked: string[] = [];
    await findSessionData({ where: ({ sessionId }) => asked.push(sessionId) > 9 }, places());
    expect(asked.sort()).toEqual([A, B]);
    const failing = findSessionData({ where: () => Promise.reject(new Error('no')) }, places());
    await expect(failing).rejects.toThrow('no');
  });

  it('follow copies in both directions, and copies of copies', async () => {
    const said = (id: string) => ({ type: 'user', uuid: id, sessionId: A });
    home.transcript(A, { entries: [said('m1'), said('m2')] });
    // As forkSession() and as the CLIs write them.
    home.transcript(B, {
      entries: [{ type: 'user', uuid: 'm9', sessionId: B, forkedFrom: { sessionId: A, messageUuid: 'm1' } }],
    });
    home.transcript(C, { entries: [{ type: 'user', uuid: 'm9', sessionId: C }] });
    const other = '44444444-4444-4444-8444-444444444444';
    home.transcript(other);
    for (const id of [A, B, C])
      expect((await findSessionData(id, { ...places(), copies: true })).sessionIds.sort()).toEqual([A, B, C]);
    expect((await findSessionData(A, places())).sessionIds).toEqual([A]);
  });
});

describe('links', () => {
  it('that lead out of the folder are not followed', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'elsewhere-'));
    try {
      writeFileSync(join(elsewhere, `${A}.jsonl`), '{}\n');
      symlinkSync(elsewhere, join(home.config, 'projects', '-linked'));
      const { deleted, kept } = await deleteSessionData(A, places());
      expect(deleted).toEqual([]);
      expect(kept).toMatchObject([{ reason: 'outside', kind: 'transcript' }]);
      expect(existsSync(join(elsewhere, `${A}.jsonl`))).toBe(true);
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
  });

  it('go themselves, and what they lead to stays', async () => {
    const target = home.write('precious/file.txt', 'x');
    mkdirSync(join(home.config, 'projects', '-p'));
    symlinkSync(join(home.root, 'precious'), join(home.config, 'projects', '-p', A));
    expect((await deleteSessionData(A, places())).deleted).toHaveLength(1);
    expect(existsSync(target)).toBe(true);
  });
});

describe('traces', () => {
  it('are found by the ids in their frames, packed or not, and in pages', async () => {
    home.trace('one.jsonl', [A, A]);
    home.trace('two.jsonl.gz', [A]);
    home.trace('other.jsonl', [B]);
    const data = `[{"frame":{"session_id":"${A}"}}]`;
    home.write('traces/page.html', fillPage({ script: '', style: '' }, data));
    const { items } = await findSessionData(A, places());
    expect(items.map(({ kind }) => kind).sort()).toEqual(['trace', 'trace', 'trace-page']);
    await deleteSessionData(A, places());
    expect(Object.keys(home.files())).toEqual(['traces/other.jsonl']);
  });

  it('that hold others as well stay, unless they are to go', async () => {
    home.trace('both.jsonl', [A, B]);
    const { kept } = await deleteSessionData(A, places());
    expect(kept).toMatchObject([{ kind: 'trace', reason: 'shared', sharedWith: [B] }]);
    expect((await deleteSessionData([A, B], { ...places(), dryRun: true })).deleted).toHaveLength(1);
    expect((await deleteSessionData(A, { ...places(), sharedFiles: 'delete' })).deleted).toHaveLength(1);
  });

  it('that cannot be read are problems, and stay', async () => {
    home.write('traces/notes.jsonl', '{"a":1}\n');
    home.trace('future.jsonl', [A], 99);
    const { problems, deleted } = await deleteSessionData(A, places());
    expect(problems.map(({ message }) => message).join()).toMatch(/is not a trace.*|version 99/s);
    expect(problems).toHaveLength(2);
    expect(deleted).toEqual([]);
  });

  it('are missed where the folder is not there, and not where a file is gone', async () => {
    const find = async (traces: string) => (await findSessionData(A, { env: home.env, traces })).problems;
    expect(await find(join(home.root, 'trases'))).toMatchObject([{ message: 'The folder does not exist' }]);
    expect(await find(join(home.root, 'gone.jsonl'))).toEqual([]);
  });

  it('are looked for where INBOARD_TRACE names', async () => {
    home.trace('one.jsonl', [A]);
    const env = { ...home.env, INBOARD_TRACE: home.traces };
    expect((await findSessionData(A, { env })).items).toHaveLength(1);
  });
});

describe('approvals', () => {
  it('go by their session, or by a rule of the caller', async () => {
    const store = createFileApprovalStore(join(home.root, 'approvals'));
    await store.put(question('one', { sessionId: A }));
    await store.put(question('two', { sessionId: B }));
    await store.put(question('old', { toolName: 'Bash' }));
    const matchApproval = ({ toolName }: Approval): boolean => toolName === 'Bash';
    const { deleted } = await deleteSessionData(A, { ...places(), approvals: [store], matchApproval });
    expect(deleted).toHaveLength(2);
    expect((await store.list()).map(({ id }) => id)).toEqual(['two']);
  });

  it('cannot be answered any more where a queue is given', async () => {
    const approvals = createApprovals({ store: createMemoryApprovalStore() });
    const asking = approvals.ask({ id: 'q', title: 'May I?' }, { sessionId: A });
    const waiting = expect(asking).rejects.toMatchObject({ name: 'AbortError' });
    for await (const { id } of approvals.watch()) if (id === 'q') break;
    expect((await deleteSessionData(A, { ...places(), approvals: [approvals] })).deleted).toHaveLength(1);
    await waiting;
    approvals.close();
  });

  it('of a store that fails are a problem, and the rest goes on', async () => {
    home.transcript(A);
    const failing = { list: () => Promise.reject(new Error('away')), remove: async () => {} };
    const stubborn = {
      list: async () => [question('q', { sessionId: A })],
      remove: () => Promise.reject(new Error('no')),
    };
    const report = await deleteSessionData(A, { ...places(), approvals: [failing, stubborn] });
    expect(report.problems).toEqual([{ place: 'approvals[0]', message: 'away' }]);
    expect(report.kept).toMatchObject([{ place: 'approvals[1] q', reason: 'failed', message: 'no' }]);
    expect(report.deleted.map(({ kind }) => kind)).toEqual(['transcript']);
  });
});

describe('session stores', () => {
  const key = { projectKey: 'shop', sessionId: A };

  it('are asked to delete the session with its subagents', async () => {
    const store = new InMemorySessionStore();
    await store.append(key, [{ type: 'user', uuid: 'm1' }]);
    await store.append({ ...key, subpath: 'subagents/agent-1' }, [{ type: 'user' }]);
    await store.append({ ...key, sessionId: B }, [{ type: 'tag', tag: 'bob' }]);
    const sessionStores = [{ store, projectKey: 'shop' }];
    expect((await findSessionData({ tag: 'bob' }, { ...places(), sessionStores })).sessionIds).toEqual([B]);
    expect((await deleteSessionData(A, { ...places(), sessionStores })).deleted).toHaveLength(1);
    expect(await store.load(key)).toBeNull();
    expect(store.size).toBe(1);
  });

  it('are asked for what they recorded of calls, with a transcript or without one', async () => {
    const store = new InMemorySessionStore();
    const sessionStores = [{ store, projectKey: 'shop' }];
    await store.calls(key).add({ type: 'waiting', callKey: 'c', at: 1 });
    const find = async () => (await findSessionData(A, { ...places(), sessionStores })).items;
    const records = { sessionId: A, kind: 'call-records', place: `sessionStores[0] shop/${A} calls` };
    expect(await find()).toEqual([records]);
    await store.append(key, [{ type: 'user', uuid: 'm1' }]);
    expect((await find()).map(({ kind }) => kind)).toEqual(['call-records', 'stored-transcript']);
    expect((await deleteSessionData(A, { ...places(), sessionStores })).deleted).toHaveLength(2);
    expect([await find(), await store.calls(key).load()]).toEqual([[], []]);
    // A store that keeps them is found out.
    const kept = {
      append: async () => {},
      load: async () => null,
      delete: async () => {},
      calls: () => store.calls(key),
    };
    await store.calls(key).add({ type: 'waiting', callKey: 'c', at: 1 });
    const report = await deleteSessionData(A, {
      ...places(),
      sessionStores: [{ store: kept, projectKey: 'shop' }],
    });
    expect(report.kept).toMatchObject([{ kind: 'call-records', reason: 'written-again' }]);
  });

  it('that cannot delete, or say so and do not, are told apart', async () => {
    const entries = [{ type: 'user' }];
    const base: SessionStore = { append: async () => {}, load: async () => entries };
    const lying: SessionStore = { ...base, delete: async () => {} };
    const sessionStores = [base, lying].map((store) => ({ store, projectKey: 'shop' }));
    const { kept } = await deleteSessionData(A, { ...places(), sessionStores });
    expect(kept.map(({ reason }) => reason)).toEqual(['not-supported', 'written-again']);
  });
});

describe('what is recorded of calls', () => {
  const folder = (): string => join(home.config, 'projects', '-p', A);
  const write = async (): Promise<CallClaim> => {
    home.transcript(A);
    await using records = createFileCallRecords({ folder: folder() });
    await records.add({ type: 'waiting', callKey: 'c', at: 1 });
    const result = { content: [{ type: 'text', text: 'x'.repeat(300_000) }] };
    await records.add({ type: 'ended', callKey: 'd', result, at: 1 });
    return (await records.claim({ owner: 'desk', ttlMs: 60_000 })) as CallClaim;
  };

  it('is listed file by file, and goes with the session', async () => {
    await (await write()).release();
    home.write(`config/projects/-p/${A}/tool-results/1.txt`, '12345');
    const { items } = await findSessionData(A, places());
    expect(items.map(({ kind, place }) => [kind, place.slice(folder().length)])).toEqual([
      ['call-records', expect.stringMatching(/^\/inboard-call-.*\.json$/)],
      ['call-records', '/inboard-calls.claim'],
      ['call-records', '/inboard-calls.jsonl'],
      ['session-files', ''],
      ['transcript', '.jsonl'],
    ]);
    expect(items.find(({ kind }) => kind === 'session-files')?.bytes).toBe(5);
    const { deleted, kept } = await deleteSessionData(A, places());
    expect([deleted.length, kept, home.files()]).toEqual([5, [], {}]);
  });

  it('stays while a process completes the calls, and nothing else of the session is touched', async () => {
    const claim = await write();
    const before = home.files();
    const { deleted, kept } = await deleteSessionData(A, places());
    expect(deleted).toEqual([]);
    expect(new Set(kept.map(({ reason, message }) => `${reason}: ${message}`))).toEqual(
      new Set(['running: Calls of the session are being completed by desk. End it, then delete again.']),
    );
    expect(home.files()).toEqual(before);
    await claim.release();
    expect((await deleteSessionData(A, places())).kept).toEqual([]);
  });

  it('is not looked for behind a link', async () => {
    home.transcript(A);
    const elsewhere = home.write('elsewhere/inboard-calls.jsonl', 'of another');
    symlinkSync(join(home.root, 'elsewhere'), folder());
    const { items } = await findSessionData(A, places());
    expect(items.map(({ kind }) => kind)).toEqual(['session-files', 'transcript']);
    await deleteSessionData(A, places());
    expect(existsSync(elsewhere)).toBe(true);
  });
});

describe('sessions that run', () => {
  it('in this process are left alone', async () => {
    await using fake = createFakeCli([text('hi')]);
    const session = openSession({ options: { transport: fake.transport } });
    await session.send('hello').text();
    const id = session.sessionId ?? '';
    home.transcript(id);
    const { kept, deleted } = await deleteSessionData(id, places());
    expect(deleted).toEqual([]);
    expect(kept).toMatchObject([
      { reason: 'running', message: expect.stringContaining('Close it') as string },
    ]);
    await session.close();
    expect((await deleteSessionData(id, places())).deleted).toHaveLength(1);
  });

  it('elsewhere are known by the note of their CLI; one that was killed leaves it, and it goes', async () => {
    home.transcript(A);
    const note = (pid: number): string => JSON.stringify({ pid, sessionId: A, updatedAt: 0 });
    home.write(`config/sessions/${process.pid}.json`, note(process.pid));
    expect((await deleteSessionData(A, places())).kept.map(({ reason }) => reason)).toEqual([
      'running',
      'running',
    ]);
    rmSync(join(home.config, 'sessions', `${process.pid}.json`));
    home.write('config/sessions/999999999.json', note(999999999));
    home.write('config/sessions/999999999.abc.key', 'secret');
    home.write('config/sessions/1.abc.key', 'of another');
    expect((await deleteSessionData(A, places())).deleted).toHaveLength(3);
    expect(Object.keys(home.files())).toEqual(['config/sessions/1.abc.key']);
  });
});

it('finds outputs and plans by names that the CLI itself wrote, and by nothing that a tool said', async () => {
  const tasks = `tmp/claude-${process.getuid?.() ?? 0}/-p/tasks`;
  home.write(`${tasks}/mine.output`, 'x');
  home.write(`${tasks}/other.output`, 'x');
  home.write('config/plans/calm-blue-fox.md', 'x');
  home.write('config/plans/calm-red-fox.md', 'x');
  const said = {
    type: 'user',
    message: { content: '{"backgroundTaskId":"other","slug":"calm-red-fox"} tasks/other.output' },
  };
  const entries = [
    { type: 'user', slug: 'calm-blue-fox', toolUseResult: { backgroundTaskId: 'mine' } },
    said,
  ];
  home.transcript(A, {
    entries: [...entries, { type: 'user', toolUseResult: { backgroundTaskId: '../../../x' } }],
  });
  await deleteSessionData(A, places());
  expect(Object.keys(home.files())).toEqual(['config/plans/calm-red-fox.md', `${tasks}/other.output`]);
});

it('keeps what somebody still writes, and says so', async () => {
  const path = home.transcript(A);
  const approvals = [{ list: async () => [], remove: async () => {} }];
  let looks = 0;
  const writer = {
    ...approvals[0],
    // Asked before the files are looked at: the second time, after the deletion.
    list: async () => {
      looks += 1;
      if (looks === 2) home.transcript(A);
      return [];
    },
    remove: async () => {},
  };
  const { deleted, kept } = await deleteSessionData(A, { ...places(), approvals: [writer] });
  expect(deleted).toEqual([]);
  expect(kept).toMatchObject([{ reason: 'written-again', place: path }]);
});
