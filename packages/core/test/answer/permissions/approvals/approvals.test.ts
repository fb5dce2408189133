// The queue of questions to people, on both stores: two queues on one store are two processes, one after the other or
// side by side.
import { EventEmitter, getEventListeners } from 'node:events';
import fs, {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AbortError, SessionClosedError } from '../../../../src/errors.js';
import type { ApprovalStore } from '../../../../src/answer/permissions/approvals/approval.js';
import { createApprovals, type Approvals } from '../../../../src/answer/permissions/approvals/approvals.js';
import { FileApprovalStore } from '../../../../src/answer/permissions/approvals/file-approval-store.js';
import { createMemoryApprovalStore } from '../../../../src/answer/permissions/approvals/memory-approval-store.js';
import {
  isAskedWith,
  watchQueues,
  type WaitingQuestion,
} from '../../../../src/answer/permissions/approvals/queue-registry.js';
import { allow, deny } from '../../../../src/answer/permissions/decisions.js';
import { WITHDRAWN } from '../../../../src/wire/protocol/answer.js';
import { breakDisk } from '../../../../../../test/support/full-disk.js';
import { PATIENCE_MS } from '../../../../../../test/support/wait-until.js';

const folders: string[] = [];
const makeFolder = (): string => {
  const folder = join(mkdtempSync(join(tmpdir(), 'inboard-approvals-')), 'questions');
  folders.push(folder);
  return folder;
};
const opened: Approvals[] = [];

afterEach(() => {
  for (const approvals of opened.splice(0)) approvals.close();
  for (const folder of folders.splice(0)) rmSync(join(folder, '..'), { recursive: true, force: true });
});

/** What a permission callback gets. */
const asked = (callKey: string, signal = new AbortController().signal, attempt = 1) => ({
  signal,
  callKey,
  attempt,
  requestId: `request of ${callKey}`,
  toolUseID: 't1',
  displayName: 'Refund',
  agentID: undefined,
});

describe.each([
  [
    'in memory',
    () => {
      const store = createMemoryApprovalStore();
      return () => store;
    },
  ],
  [
    'in files',
    () => {
      const folder = makeFolder();
      return () => new FileApprovalStore(folder);
    },
  ],
])('approvals %s', (_where, createPlace) => {
  /** Queues of as many processes as are asked for, on one place. */
  const openQueues = (): (() => Approvals) => {
    const place: () => ApprovalStore = createPlace();
    return () => {
      const approvals = createApprovals({ store: place() });
      opened.push(approvals);
      return approvals;
    };
  };
  const open = (): Approvals => openQueues()();
  const listed = async (approvals: Approvals): Promise<string[]> =>
    (await approvals.list()).map(({ id }) => id);

  it('hold a permission question until it is answered, by its stable key', async () => {
    const approvals = open();
    const answer = approvals.canUseTool('refund', { order: 7 }, asked('call_1'));
    await vi.waitFor(async () => expect(await listed(approvals)).toEqual(['call_1']), PATIENCE_MS);
    expect(await approvals.list()).toEqual([
      {
        id: 'call_1',
        kind: 'permission',
        attempt: 1,
        askedAt: expect.any(Number) as number,
        toolName: 'refund',
        input: { order: 7 },
        displayName: 'Refund',
      },
    ]);
    expect(await approvals.answer('call_1', allow({ input: { order: 8 } }), { by: 'ann' })).toBe(true);
    expect(await answer).toEqual(allow({ input: { order: 8 } }));
    expect(await listed(approvals)).toEqual([]);
    expect(await approvals.list({ answered: true })).toMatchObject([{ id: 'call_1', answer: { by: 'ann' } }]);
  });

  it('name a question of a call without a key after its request', async () => {
    const approvals = open();
    const answer = approvals.canUseTool('refund', {}, { ...asked('call_1'), callKey: undefined });
    await vi.waitFor(
      async () => expect(await listed(approvals)).toEqual(['request_request of call_1']),
      PATIENCE_MS,
    );
    await approvals.answer('request_request of call_1', allow());
    expect(await answer).toEqual(allow());
  });

  it('let the first answer win, and know no other questions', async () => {
    const queue = openQueues();
    const [host, one, other] = [queue(), queue(), queue()];
    const answer = host.canUseTool('refund', {}, asked('call_1'));
    await vi.waitFor(async () => expect(await listed(one)).toEqual(['call_1']), PATIENCE_MS);
    const taken = await Promise.all([one.answer('call_1', allow()), other.answer('call_1', deny('No.'))]);
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await answer).toEqual(taken[0] ? allow() : deny('No.'));
    expect(await one.answer('call_1', allow())).toBe(false);
    expect(await one.answer('unknown', allow())).toBe(false);
    await expect(one.answer('call_1', { behavior: 'maybe' } as never)).rejects.toThrow(
      'allow() or deny(message)',
    );
  });

  it('keep questions and answers for a host that was killed meanwhile', async () => {
    const queue = openQueues();
    const controller = new AbortController();
    const lost = queue().canUseTool('refund', { order: 7 }, asked('call_1', controller.signal));
    const answerer = queue();
    await vi.waitFor(async () => expect(await listed(answerer)).toEqual(['call_1']), PATIENCE_MS);
    controller.abort(new SessionClosedError());
    expect(await lost).toBeNull();
    expect(await listed(answerer)).toEqual(['call_1']);
    expect(await answerer.answer('call_1', allow())).toBe(true);
    // The next host asks again, and is answered at once; so is one after that.
    for (const attempt of [2, 3]) {
      const next = asked('call_1', new AbortController().signal, attempt);
      expect(await queue().canUseTool('refund', { order: 7 }, next)).toEqual(allow());
    }
    expect(await queue().list({ answered: true })).toMatchObject([{ id: 'call_1', attempt: 3 }]);
  });

  it.each<[string, (approvals: Approvals, controller: AbortController) => unknown]>([
    ['answered', (approvals) => approvals.answer('q', allow())],
    ['removed', (approvals) => approvals.remove('q')],
    ['given up', (_, controller) => controller.abort()],
    ['left by its queue', (approvals) => approvals.close()],
  ])('leave no listener on the signal of a question that is %s', async (how, end) => {
    const approvals = open();
    const controller = new AbortController();
    const { signal } = controller;
    const answers = [
      approvals.ask({ title: 'May I?', id: 'q' }, { signal }),
      approvals.canUseTool('refund', {}, asked('q', signal)),
    ];
    const settled = Promise.allSettled(answers);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await vi.waitFor(async () => expect(await listed(approvals)).toEqual(['q']), PATIENCE_MS);
    await end(approvals, controller);
    const [{ status }] = (await settled) as [{ status: string }, unknown];
    expect(status).toBe(how === 'answered' ? 'fulfilled' : 'rejected');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it.each<[string, (approvals: Approvals, controller: AbortController) => unknown]>([
    ['close()', (approvals) => approvals.close()],
    ['abort()', (_, controller) => controller.abort()],
  ])('end with %s, whatever their store never settles', async (_, end) => {
    for (const method of ['put', 'get', 'list'] as const) {
      const never = (): Promise<never> => new Promise(() => {});
      const approvals = createApprovals({ store: Object.assign(createPlace()(), { [method]: never }) });
      opened.push(approvals);
      const controller = new AbortController();
      const { signal } = controller;
      const watch = approvals.watch({ signal });
      const asking = [
        approvals.ask({ title: 'May I?', id: 'q' }, { signal }),
        approvals.canUseTool('refund', {}, asked('r', signal)),
        watch.next(),
      ];
      const settled = Promise.allSettled(asking);
      await new Promise((resolve) => setImmediate(resolve));
      await end(approvals, controller);
      expect((await settled)[0]?.status).toBe('rejected');
      await watch.return?.();
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    }
  });

  it('leave no listener on the signal of a watch that is left', async () => {
    const approvals = open();
    const { signal } = new AbortController();
    void approvals.ask({ title: 'May I?', id: 'q' }).catch(() => {});
    await vi.waitFor(async () => expect(await listed(approvals)).toEqual(['q']), PATIENCE_MS);
    const watch = approvals.watch({ signal });
    expect(await watch.next()).toMatchObject({ value: { id: 'q' } });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await watch.return?.();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('forget a question that the CLI withdraws', async () => {
    const approvals = open();
    const controller = new AbortController();
    const answer = approvals.canUseTool('refund', {}, asked('call_1', controller.signal));
    await vi.waitFor(async () => expect(await listed(approvals)).toEqual(['call_1']), PATIENCE_MS);
    controller.abort(new AbortError('The CLI withdrew the request', { cause: WITHDRAWN }));
    expect(await answer).toBeNull();
    await vi.waitFor(async () => expect(await listed(approvals)).toEqual([]), PATIENCE_MS);
  });

  it('are asked from a handler, each question under a key of its own', async () => {
    const queue = openQueues();
    const host = queue();
    const extra = { callKey: 'call_1', attempt: 1, server: 'shop', tool: 'refund', sessionId: 's1' };
    const answers = ['Sure?', 'Sure?', 'Really?'].map((title) =>
      host.ask({ title, input: { order: 7 } }, extra),
    );
    const answerer = queue();
    await vi.waitFor(async () => expect(await listed(answerer)).toHaveLength(3), PATIENCE_MS);
    const questions = await answerer.list();
    // Asked within one millisecond, as a rule; the ids are digests, in an order of their own.
    expect(questions.map(({ title }) => title)).toEqual(['Sure?', 'Sure?', 'Really?']);
    expect(questions[0]).toMatchObject({
      kind: 'tool',
      toolName: 'mcp__shop__refund',
      sessionId: 's1',
      title: 'Sure?',
    });
    for (const { id, title = '' } of questions) await answerer.answer(id, deny(title));
    expect(await Promise.all(answers)).toEqual(['Sure?', 'Sure?', 'Really?'].map((title) => deny(title)));
    // The same questions of the same call, made again by the next host.
    const again = { ...extra, attempt: 2 };
    const next = queue();
    expect(await next.ask({ title: 'Sure?', input: { order: 7 } }, again)).toEqual(deny('Sure?'));
    expect(await next.ask({ title: 'Really?', input: { order: 7 } }, again)).toEqual(deny('Really?'));
    await expect(next.ask({ title: 'Outside?' })).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
      options: ['id'],
      message: expect.stringContaining('needs an id') as string,
    });
  });

  it('reject a question whose call is cancelled, or that is removed', async () => {
    const approvals = open();
    const controller = new AbortController();
    const cancelled = approvals.ask({ id: 'a', title: 'A?' }, { signal: controller.signal });
    const removed = approvals.ask({ id: 'b', title: 'B?' });
    await vi.waitFor(async () => expect(await listed(approvals)).toHaveLength(2), PATIENCE_MS);
    const ends = Promise.allSettled([cancelled, removed]);
    controller.abort();
    await approvals.remove('b');
    expect(await ends).toMatchObject([{ reason: { code: 'ABORTED' } }, { reason: { code: 'ABORTED' } }]);
    await expect(
      approvals.ask({ id: 'c', title: 'C?' }, { signal: controller.signal }),
    ).rejects.toMatchObject({
      code: 'ABORTED',
    });
    expect(await listed(approvals)).toEqual(['a']);
  });

  it('show those who watch every open question once, and end with them', async () => {
    const queue = openQueues();
    const [host, answerer] = [queue(), queue()];
    const first = host.ask({ id: 'a', title: 'A?' });
    await vi.waitFor(async () => expect(await listed(answerer)).toEqual(['a']), PATIENCE_MS);
    const controller = new AbortController();
    const seen: string[] = [];
    const watching = (async () => {
      for await (const { id, attempt } of answerer.watch({ signal: controller.signal })) {
        seen.push(`${id} ${attempt}`);
        if (id === 'b') await answerer.answer('b', allow());
      }
    })();
    expect(await host.ask({ id: 'b', title: 'B?' })).toEqual(allow());
    const again = host.ask({ id: 'a', title: 'A?' }, { attempt: 2 });
    await vi.waitFor(() => expect(seen).toEqual(['a 1', 'b 1', 'a 2']), PATIENCE_MS);
    controller.abort();
    await watching;
    const other = (async () => {
      for await (const { id } of answerer.watch()) seen.push(id);
    })();
    await vi.waitFor(() => expect(seen).toHaveLength(4), PATIENCE_MS);
    answerer.close();
    await other;
    await host.answer('a', deny('No.'));
    expect(await Promise.all([first, again])).toEqual([deny('No.'), deny('No.')]);
  });

  it('end all waiting when they are closed, and keep what was asked', async () => {
    const queue = openQueues();
    const approvals = queue();
    const waiting = [
      approvals.ask({ id: 'a', title: 'A?' }),
      approvals.canUseTool('refund', {}, asked('call_1')),
    ];
    await vi.waitFor(async () => expect(await listed(approvals)).toHaveLength(2), PATIENCE_MS);
    await approvals[Symbol.asyncDispose]();
    for (const each of [...waiting, approvals.ask({ id: 'b', title: 'B?' })]) {
      await expect(each).rejects.toMatchObject({ code: 'PERMISSION_UNAVAILABLE', retryAfterMs: Infinity });
    }
    expect((await listed(queue())).sort()).toEqual(['a', 'call_1']);
  });

  it('do nothing about a question that nobody waits for here', async () => {
    const approvals = open();
    await expect(approvals.remove('unknown')).resolves.toBeUndefined();
    expect(await listed(approvals)).toEqual([]);
  });

  it('are told of by their store: what is asked, answered and removed, until one stops listening', async () => {
    // What the system says of the folder would come beside it, at a time of its own.
    const mend = breakDisk('ENOSYS', { sync: ['watch'] });
    const clock = vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const store = createPlace()();
      const [told, alsoTold] = [vi.fn(), vi.fn()];
      const stop = store.watch(told);
      const stopOther = store.watch(alsoTold);
      await store.put({ id: 'a', kind: 'tool', attempt: 1, askedAt: 1, input: {} });
      expect(told).toHaveBeenCalledTimes(1);
      await store.answer('a', { result: allow(), answeredAt: 2 });
      expect(told).toHaveBeenCalledTimes(2);
      await store.remove('a');
      expect(told).toHaveBeenCalledTimes(3);
      stop();
      await store.put({ id: 'b', kind: 'tool', attempt: 1, askedAt: 1, input: {} });
      expect([told, alsoTold].map(({ mock }) => mock.calls.length)).toEqual([3, 4]);
      stopOther();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      clock.useRealTimers();
      mend();
    }
  });

  it('forget answered questions after a while', async () => {
    const store = createPlace()();
    const approvals = createApprovals({ store, keepAnsweredMs: 1000 });
    opened.push(approvals);
    const answer = approvals.ask({ id: 'a', title: 'A?' });
    await vi.waitFor(async () => expect(await listed(approvals)).toEqual(['a']), PATIENCE_MS);
    await approvals.answer('a', allow());
    await answer;
    expect(await approvals.list({ answered: true })).toHaveLength(1);
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 1001);
    try {
      expect(await approvals.list({ answered: true })).toEqual([]);
    } finally {
      now.mockRestore();
    }
    expect(await store.list()).toEqual([]);
  });
});

it('tell all who watch of their questions, and know those of a copy as their own', async () => {
  const approvals = createApprovals();
  const other = createApprovals();
  const told: unknown[] = [];
  const note = (what: string, waiting: WaitingQuestion): unknown =>
    told.push([
      what,
      waiting.question.id,
      ...[approvals, { ...approvals }, other].map((each) => isAskedWith(waiting, each)),
    ]);
  const first = approvals.ask({ id: 'a', title: 'A?' });
  const unwatch = watchQueues({
    asked: (waiting) => note('asked', waiting),
    settled: (waiting, _result, by) => note(`settled by ${by}`, waiting),
  });
  const second = approvals.ask({ id: 'b', title: 'B?' });
  await vi.waitFor(async () => expect(await approvals.list()).toHaveLength(2), PATIENCE_MS);
  await approvals.answer('a', allow(), { by: 'ann' });
  await first;
  unwatch();
  await approvals.answer('b', allow());
  await second;
  const isOurs = [true, true, false];
  expect(told).toEqual([
    ['asked', 'a', ...isOurs],
    ['asked', 'b', ...isOurs],
    ['settled by ann', 'a', ...isOurs],
  ]);
});

it('leave questions open while their store is away', async () => {
  const store = createMemoryApprovalStore();
  const approvals = createApprovals({
    store: {
      ...store,
      watch: store.watch.bind(store),
      put: () => Promise.reject(new Error('ECONNREFUSED 10.0.0.1')),
    },
  });
  await expect(approvals.canUseTool('refund', {}, asked('call_1'))).rejects.toMatchObject({
    code: 'PERMISSION_UNAVAILABLE',
    message: 'The approval store failed',
    cause: { message: 'ECONNREFUSED 10.0.0.1' },
  });
});

it('find an answer that came while its question was written, in a store that tells nobody', async () => {
  const stop = vi.fn();
  const store = createMemoryApprovalStore();
  const put = async (question: Parameters<ApprovalStore['put']>[0]): Promise<undefined> => {
    await store.put(question);
    await store.answer(question.id, { result: deny('No.'), answeredAt: 1 });
  };
  const approvals = createApprovals({ store: { ...wrap(store), put, watch: () => stop } });
  expect(await approvals.ask({ id: 'a', title: 'A?' })).toEqual(deny('No.'));
  // No question waits any more, so nothing is watched.
  expect(stop).toHaveBeenCalledOnce();
});

it('find an answer whose change was told while the store was away, and look no more when nobody waits', async () => {
  vi.useFakeTimers();
  try {
    const store = createMemoryApprovalStore();
    let isAway = true;
    const get = vi.fn(async (id: string) => {
      if (isAway) throw new Error('ECONNREFUSED');
      return await store.get(id);
    });
    const approvals = createApprovals({ store: { ...wrap(store), get } });
    const answer = approvals.ask({ id: 'a', title: 'A?' });
    await vi.advanceTimersByTimeAsync(0);
    await store.answer('a', { result: allow(), answeredAt: 1 });
    await vi.advanceTimersByTimeAsync(1000);
    expect(get.mock.calls.length).toBeLessThan(6);
    isAway = false;
    await vi.advanceTimersByTimeAsync(5000);
    expect(await answer).toEqual(allow());
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

it('plan no further look once a change has led to one that the store answered', async () => {
  vi.useFakeTimers();
  try {
    let tell = (): void => {};
    let isAway = true;
    const store = createMemoryApprovalStore();
    const get = async (id: string) => {
      if (isAway) throw new Error('ECONNREFUSED');
      return await store.get(id);
    };
    const watch = (onChange: () => void) => {
      tell = onChange;
      return () => {};
    };
    const approvals = createApprovals({ store: { ...wrap(store), get, watch } });
    const answer = approvals.ask({ id: 'a', title: 'A?' });
    await vi.advanceTimersByTimeAsync(0);
    // Two changes: the second look follows the first, and only one is planned after both have failed.
    tell();
    tell();
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(1);
    isAway = false;
    tell();
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
    await store.answer('a', { result: allow(), answeredAt: 1 });
    tell();
    expect(await answer).toEqual(allow());
  } finally {
    vi.useRealTimers();
  }
});

it('give no answer before the store has noted who asks', async () => {
  const store = createMemoryApprovalStore();
  let note = (): void => {};
  const noted = new Promise<void>((resolve) => (note = resolve));
  const put = async (question: Parameters<ApprovalStore['put']>[0]): Promise<undefined> => {
    await store.put(question);
    await noted;
  };
  const approvals = createApprovals({ store: { ...wrap(store), put } });
  let given: unknown;
  const answer = approvals.ask({ id: 'a', title: 'A?' }).then((result) => (given = result));
  await vi.waitFor(async () => expect(await approvals.answer('a', allow())).toBe(true), PATIENCE_MS);
  await new Promise((resolve) => setImmediate(resolve));
  expect(given).toBeUndefined();
  note();
  expect(await answer).toEqual(allow());
});

it('take a store whose watching cannot be stopped', async () => {
  const store = createMemoryApprovalStore();
  const approvals = createApprovals({ store: { ...wrap(store), watch: (() => undefined) as never } });
  const answer = approvals.ask({ id: 'a', title: 'A?' });
  await vi.waitFor(async () => expect(await approvals.list()).toHaveLength(1), PATIENCE_MS);
  await approvals.answer('a', allow());
  expect(await answer).toEqual(allow());
});

/** The methods of a store as fields, of which a test gives some anew. */
function wrap(store: ApprovalStore): ApprovalStore {
  return {
    put: store.put.bind(store),
    answer: store.answer.bind(store),
    get: store.get.bind(store),
    list: store.list.bind(store),
    remove: store.remove.bind(store),
    watch: store.watch.bind(store),
  };
}

describe('the store in files', () => {
  const question = { id: 'call_1', kind: 'permission', attempt: 1, askedAt: 1, input: {} } as const;
  const answer = { result: allow(), answeredAt: 2 };

  it('takes any id, and lets nobody else read', async () => {
    const folder = makeFolder();
    const store = new FileApprovalStore(folder);
    expect(await store.list()).toEqual([]);
    const ids = ['../../etc/passwd', 'a b', 'é', 'x'.repeat(400), 'call_1'];
    for (const id of ids) await store.put({ ...question, id });
    expect((await store.list()).map(({ id }) => id).sort()).toEqual(ids.toSorted());
    expect(await store.answer('../../etc/passwd', answer)).toBe(true);
    expect(await store.get('../../etc/passwd')).toMatchObject({ id: '../../etc/passwd', answer });
    expect(readdirSync(join(folder, '..'))).toEqual(['questions']);
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
    if (process.platform !== 'win32')
      expect([...new Set(modes), statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
    for (const id of ids) await store.remove(id);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('reads past what a process that was killed left half done, and sweeps it in time', async () => {
    const folder = makeFolder();
    const store = new FileApprovalStore(folder);
    await store.put(question);
    const long = new Date(Date.now() - 3_600_000);
    // An unfinished file, an answer whose question was removed, a question that was cut by other means.
    for (const name of ['1.tmp', 'gone.answer.json', 'cut.question.json']) {
      writeFileSync(join(folder, name), '{"id"');
      utimesSync(join(folder, name), long, long);
    }
    writeFileSync(join(folder, '2.tmp'), '{"id"');
    expect(await store.list()).toEqual([question]);
    expect(readdirSync(folder).sort()).toEqual(['2.tmp', 'call_1.question.json', 'cut.question.json']);
  });

  it('gives one answer of many that come at once, and never half of one', async () => {
    const folder = makeFolder();
    await new FileApprovalStore(folder).put(question);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        new FileApprovalStore(folder).answer('call_1', {
          result: deny(`${index}`.repeat(5_000)),
          answeredAt: index,
        }),
      ),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
    const kept = await new FileApprovalStore(folder).get('call_1');
    expect(kept?.answer?.answeredAt).toBe(results.indexOf(true));
    expect(readdirSync(folder)).toHaveLength(2);
  });

  /** Puts something in the place of a function of `node:fs` while a test runs. */
  async function replacing(
    owner: object,
    name: string,
    replace: (real: (...given: unknown[]) => unknown) => (...given: never[]) => unknown,
    run: () => Promise<void>,
  ): Promise<void> {
    const functions = owner as Record<string, (...given: unknown[]) => unknown>;
    const real = functions[name] as (...given: unknown[]) => unknown;
    functions[name] = replace(real) as typeof real;
    syncBuiltinESMExports();
    try {
      await run();
    } finally {
      functions[name] = real;
      syncBuiltinESMExports();
    }
  }

  it('has cleared away what it wrote when it refuses a second answer', async () => {
    const folder = makeFolder();
    const store = new FileApprovalStore(folder);
    await store.put(question);
    expect(await store.answer('call_1', answer)).toBe(true);
    expect(await store.answer('call_1', answer)).toBe(false);
    expect(readdirSync(folder).sort()).toEqual(['call_1.answer.json', 'call_1.question.json']);
  });

  it('leaves no file open, and says so when its folder is none', async () => {
    const folder = makeFolder();
    const files: fs.promises.FileHandle[] = [];
    const noting =
      (real: (...given: unknown[]) => unknown) =>
      async (...given: unknown[]) => {
        const file = (await real(...given)) as fs.promises.FileHandle;
        files.push(file);
        return file;
      };
    await replacing(fs.promises, 'open', noting, async () => {
      await new FileApprovalStore(folder).put(question);
    });
    // The question, and the folder; what is closed has no number any more.
    expect(files.map(({ fd }) => fd)).toEqual([-1, -1]);
    const [name = ''] = readdirSync(folder);
    await expect(new FileApprovalStore(join(folder, name)).list()).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it('says so when a question cannot be written, or not under its name', async () => {
    const folder = makeFolder();
    const store = new FileApprovalStore(folder);
    mkdirSync(join(folder, 'taken.question.json'), { recursive: true });
    await expect(store.put({ ...question, id: 'taken' })).rejects.toMatchObject({ syscall: 'rename' });
    expect(await store.get('taken')).toBeUndefined();
    rmSync(join(folder, 'taken.question.json'), { recursive: true });
    for (const step of ['writeFile', 'sync'] as const) {
      const failing = (real: (...given: unknown[]) => unknown) => async (path: string, flags: string) => {
        const file = (await real(path, flags)) as fs.promises.FileHandle;
        file[step] = () => Promise.reject(new Error('ENOSPC'));
        return file;
      };
      await replacing(fs.promises, 'open', failing, async () => {
        await expect(store.put(question), step).rejects.toThrow('ENOSPC');
      });
    }
    expect(await store.list()).toEqual([]);
  });

  it('closes the folder before it says that an answer is kept, and needs no folder that can be synced', async () => {
    const folder = makeFolder();
    const store = new FileApprovalStore(folder);
    await store.put(question);
    let closed = 0;
    let fail = (): void => {};
    const handle = {
      sync: async () => fail(),
      close: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        closed += 1;
        fail();
      },
    };
    const withHandle =
      (real: (...given: unknown[]) => unknown) =>
      async (...given: unknown[]) =>
        given[0] === folder ? handle : real(...given);
    await replacing(fs.promises, 'open', withHandle, async () => {
      expect(await store.answer('call_1', answer)).toBe(true);
      expect(closed).toBe(1);
      fail = () => {
        throw new Error('EINVAL');
      };
      expect(await store.put({ ...question, id: 'call_2' })).toBeUndefined();
      expect(closed).toBe(2);
    });
    expect(await store.list()).toHaveLength(2);
  });

  it('listens to what the system says of its folder, as long as that works', async () => {
    const told = vi.fn();
    const watcher = Object.assign(new EventEmitter(), { close: vi.fn() });
    const watched: unknown[] = [];
    const folder = makeFolder();
    const fakeWatch = () => (path: string, onChange: () => void) => {
      watched.push(path);
      return watcher.on('change', onChange);
    };
    await replacing(fs, 'watch', fakeWatch, async () => {
      const stop = new FileApprovalStore(folder).watch(told);
      expect(watched).toEqual([folder]);
      watcher.emit('change');
      expect(told).toHaveBeenCalledOnce();
      watcher.emit('error', new Error('EMFILE'));
      expect(watcher.close).toHaveBeenCalledTimes(1);
      stop();
      expect(watcher.close).toHaveBeenCalledTimes(2);
    });
  });

  it('looks at its folder now and then where the system says nothing', async () => {
    const mend = breakDisk('ENOSYS', { sync: ['watch'] });
    const clock = vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const looks: Promise<unknown>[] = [];
    const seen =
      (real: (...given: unknown[]) => unknown) =>
      (...given: unknown[]) => {
        const look = real(...given) as Promise<unknown>;
        looks.push(look);
        return look;
      };
    const folder = makeFolder();
    const told = vi.fn();
    const look = async (): Promise<number> => {
      clock.advanceTimersByTime(500);
      await looks.at(-1)?.catch(() => {});
      return told.mock.calls.length;
    };
    try {
      await replacing(fs.promises, 'stat', seen, async () => {
        const stop = new FileApprovalStore(folder).watch(told);
        expect(await look()).toBe(1);
        expect(await look()).toBe(1);
        utimesSync(folder, 1, 1);
        expect(await look()).toBe(2);
        chmodSync(folder, 0o750);
        expect(await look()).toBe(3);
        rmSync(folder, { recursive: true });
        expect(await look()).toBe(4);
        expect(await look()).toBe(4);
        expect(looks).toHaveLength(6);
        stop();
        expect(vi.getTimerCount()).toBe(0);
      });
    } finally {
      clock.useRealTimers();
      mend();
    }
  });
});
