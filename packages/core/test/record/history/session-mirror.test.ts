// Copying a running session into a store: order, retries, and that no store can break a session.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SDKMirrorErrorMessage } from '../../../src/wire/protocol/messages/messages-notice.js';
import type {
  SessionKey,
  SessionStoreEntry,
  TranscriptMirrorFrame,
} from '../../../src/wire/protocol/config/session-store.js';
import { InMemorySessionStore } from '../../../src/record/history/store/in-memory-session-store.js';
import {
  APPENDS_TOGETHER,
  createSessionMirror,
  type SessionMirrorOptions,
} from '../../../src/record/history/store/session-mirror.js';
import { createDeferred } from '../../../src/util/deferred.js';
import { SESSION } from './support/entries.js';
import { PATIENCE_MS } from '../../../../../test/support/wait-until.js';

const KEY = { projectKey: '-p', sessionId: SESSION };
const path = (rest: string): string => `/home/me/.claude/projects/-p/${SESSION}${rest}`;

function frame(numbers: readonly number[], filePath = path('.jsonl')): TranscriptMirrorFrame {
  return { type: 'transcript_mirror', filePath, entries: numbers.map((number) => ({ type: 'x', number })) };
}

type Append = (key: SessionKey, entries: SessionStoreEntry[]) => Promise<void>;

/** A mirror whose store does as told, and everything it was asked to append. */
function stage(options: Partial<SessionMirrorOptions> & { append?: Append; together?: boolean } = {}) {
  const { append = () => Promise.resolve(), together, ...more } = options;
  const appended: { key: SessionKey; numbers: unknown[] }[] = [];
  const errors: SDKMirrorErrorMessage[] = [];
  const ignored: string[] = [];
  const mirror = createSessionMirror({
    store: {
      ...(together && { [APPENDS_TOGETHER]: true }),
      append(key, entries) {
        appended.push({ key, numbers: entries.map(({ number }) => number) });
        return append(key, entries);
      },
      load: () => Promise.resolve(null),
    },
    onError: (message) => errors.push(message),
    onIgnored: (filePath) => ignored.push(filePath),
    ...more,
  });
  return { mirror, appended, errors, ignored, numbers: () => appended.map((each) => each.numbers) };
}

describe('a mirror with a key of its own for the project', () => {
  it('stores every transcript under it', async () => {
    const { mirror, appended } = stage({ projectKey: 'shop' });
    mirror.receive(frame([1]));
    mirror.receive(frame([9], path('/subagents/agent-a.jsonl')));
    mirror.receive(frame([2], `/elsewhere/.claude/projects/-w/${SESSION}.jsonl`));
    await mirror.flush();
    expect(appended).toEqual([
      { key: { ...KEY, projectKey: 'shop' }, numbers: [1, 2] },
      { key: { ...KEY, projectKey: 'shop', subpath: 'subagents/agent-a' }, numbers: [9] },
    ]);
  });
});

describe('a batched mirror', () => {
  it('gathers entries by transcript until it is flushed', async () => {
    const { mirror, appended } = stage();
    mirror.receive(frame([1]));
    mirror.receive(frame([9], path('/subagents/agent-a.jsonl')));
    mirror.receive(frame([2, 3]));
    expect(appended).toEqual([]);
    await mirror.flush();
    expect(appended).toEqual([
      { key: KEY, numbers: [1, 2, 3] },
      { key: { ...KEY, subpath: 'subagents/agent-a' }, numbers: [9] },
    ]);
    await mirror.flush();
    expect(appended).toHaveLength(2);
  });

  it('does not wait with a batch that has grown large', async () => {
    const { mirror, numbers } = stage();
    mirror.receive(frame(Array.from({ length: 500 }, (_, index) => index)));
    expect(numbers()).toEqual([]);
    mirror.receive(frame([500]));
    mirror.receive({ ...frame([]), entries: [{ type: 'x', number: 'big', text: 'y'.repeat(1024 * 1024) }] });
    mirror.receive(frame([501]));
    await Promise.resolve();
    expect(numbers()[0]).toHaveLength(501);
    await mirror.flush();
    expect(numbers().slice(1)).toEqual([['big'], [501]]);
  });
});

describe('a mirror that does not wait with calls', () => {
  it('sends them with all before them, and gathers the rest', async () => {
    let sendsCalls = false;
    const { mirror, numbers } = stage({ sendsCalls: () => sendsCalls });
    const call = (number: number) => ({
      ...frame([]),
      entries: [{ type: 'assistant', number, message: { content: [{ type: 'tool_use', id: 'a' }] } }],
    });
    mirror.receive(call(1));
    expect(numbers()).toEqual([]);
    sendsCalls = true;
    mirror.receive(frame([2]));
    mirror.receive(call(3));
    mirror.receive(frame([4]));
    await Promise.resolve();
    expect(numbers()).toEqual([[1, 2, 3]]);
    await mirror.flush();
    expect(numbers()).toEqual([[1, 2, 3], [4]]);
  });
});

describe('an eager mirror', () => {
  it('sends each frame by itself, one after the other', async () => {
    const gates = [createDeferred<void>(), createDeferred<void>()];
    let calls = 0;
    const { mirror, numbers } = stage({
      flush: 'eager',
      append: () => gates[calls++]?.promise ?? Promise.resolve(),
    });
    mirror.receive(frame([1]));
    mirror.receive(frame([2, 3]));
    const flushed = mirror.flush();
    await vi.waitFor(() => expect(numbers()).toEqual([[1]]), PATIENCE_MS);
    gates[0]?.resolve();
    await vi.waitFor(() => expect(numbers()).toEqual([[1], [2, 3]]), PATIENCE_MS);
    gates[1]?.resolve();
    await flushed;
  });

  it('sends all that came meanwhile together to a store that asks for that, and loses nothing', async () => {
    const gates = [createDeferred<void>(), createDeferred<void>()];
    let calls = 0;
    const { mirror, numbers } = stage({
      flush: 'eager',
      together: true,
      append: () => gates[calls++]?.promise ?? Promise.resolve(),
    });
    mirror.receive(frame([1]));
    await vi.waitFor(() => expect(numbers()).toEqual([[1]]), PATIENCE_MS);
    mirror.receive(frame([2]));
    mirror.receive(frame([3, 4]));
    const flushed = mirror.flush();
    gates[0]?.resolve();
    await vi.waitFor(() => expect(numbers()).toEqual([[1], [2, 3, 4]]), PATIENCE_MS);
    let isFlushed = false;
    void flushed.then(() => (isFlushed = true));
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(isFlushed).toBe(false);
    gates[1]?.resolve();
    await flushed;
    expect(numbers()).toEqual([[1], [2, 3, 4]]);
  });

  it('lets a slow transcript not hold up another', async () => {
    const gate = createDeferred<void>();
    const { mirror, appended } = stage({
      flush: 'eager',
      append: (key) => (key.subpath === undefined ? gate.promise : Promise.resolve()),
    });
    mirror.receive(frame([1]));
    mirror.receive(frame([2]));
    mirror.receive(frame([3], path('/subagents/agent-a.jsonl')));
    await vi.waitFor(
      () => expect(appended.map(({ key }) => key.subpath)).toEqual([undefined, 'subagents/agent-a']),
      PATIENCE_MS,
    );
    gate.resolve();
    await mirror.flush();
    expect(appended).toHaveLength(3);
  });
});

describe('a store that fails', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is asked three times, with pauses, and then the entries are dropped and told', async () => {
    const times: number[] = [];
    const start = Date.now();
    const { mirror, errors, numbers } = stage({
      append: () => {
        times.push(Date.now() - start);
        return Promise.reject(new Error('store down'));
      },
    });
    mirror.receive(frame([1]));
    const flushed = mirror.flush();
    await vi.runAllTimersAsync();
    await flushed;
    expect(times).toEqual([0, 200, 1000]);
    expect(numbers()).toEqual([[1], [1], [1]]);
    expect(errors).toEqual([
      {
        type: 'system',
        subtype: 'mirror_error',
        error: 'store down',
        key: KEY,
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
        session_id: SESSION,
      },
    ]);
  });

  it('that comes back loses nothing', async () => {
    let calls = 0;
    const { mirror, errors, numbers } = stage({
      append: () => (++calls < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve()),
    });
    mirror.receive(frame([1]));
    const flushed = mirror.flush();
    mirror.receive(frame([2]));
    const next = mirror.flush();
    await vi.runAllTimersAsync();
    await Promise.all([flushed, next]);
    expect(numbers()).toEqual([[1], [1], [1], [2]]);
    expect(errors).toEqual([]);
  });

  it('that hangs is not asked again, and what it does later is its own business', async () => {
    const late = createDeferred<void>();
    const { mirror, errors, numbers } = stage({ append: () => late.promise });
    mirror.receive(frame([1]));
    const flushed = mirror.flush();
    await vi.advanceTimersByTimeAsync(59_999);
    expect(errors).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await flushed;
    expect(numbers()).toEqual([[1]]);
    expect(errors[0]?.error).toMatch(/timed out after 60000ms/);
    late.reject(new Error('much later'));
    await vi.runAllTimersAsync();
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    [
      'throws at once',
      () => {
        throw new Error('at once');
      },
      'at once',
    ],
    [
      'throws a string',
      () => {
        throw 'words';
      },
      'words',
    ], // oxlint-disable-line no-throw-literal, only-throw-error
    ['rejects with nothing', () => Promise.reject(undefined as unknown as Error), 'undefined'],
  ])('that %s breaks nothing', async (_, append, words) => {
    const { mirror, errors } = stage({ append });
    mirror.receive(frame([1]));
    const flushed = mirror.flush();
    await vi.runAllTimersAsync();
    await flushed;
    expect(errors.map(({ error }) => error)).toEqual([words]);
  });

  it('leaves the next batch its own attempts', async () => {
    let isDown = true;
    const { mirror, errors, numbers } = stage({
      append: () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve()),
    });
    mirror.receive(frame([1]));
    const lost = mirror.flush();
    await vi.runAllTimersAsync();
    await lost;
    isDown = false;
    mirror.receive(frame([2]));
    await mirror.flush();
    expect(errors).toHaveLength(1);
    expect(numbers().at(-1)).toEqual([2]);
  });

  it('keeps no timer when all went well', async () => {
    const { mirror } = stage();
    mirror.receive(frame([1]));
    await mirror.flush();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the key of a frame', () => {
  it.each([
    ['.jsonl', KEY],
    ['/subagents/agent-x.jsonl', { ...KEY, subpath: 'subagents/agent-x' }],
    ['/subagents/deep/er/agent-x.jsonl', { ...KEY, subpath: 'subagents/deep/er/agent-x' }],
  ])('is read from %s', async (rest, key) => {
    const { mirror, appended } = stage();
    mirror.receive(frame([1], path(rest)));
    mirror.receive(
      frame(
        [2],
        `C:\\projects\\me\\.claude${path(rest).replace('/home/me/.claude', '').replaceAll('/', '\\')}`,
      ),
    );
    await mirror.flush();
    expect(appended).toEqual([{ key, numbers: [1, 2] }]);
  });

  it.each([
    path('.txt'),
    '/elsewhere/x.jsonl',
    '/a/projects/x.jsonl',
    '',
    5,
    undefined,
    path('/../../x.jsonl'),
    path('/subagents/agent-../../x.jsonl'),
    path('/subagents//agent-a.jsonl'),
    path('/subagents/./agent-a.jsonl'),
    path('/subagents/agent-a\0.jsonl'),
    path('/\u001b[2J.jsonl'),
    '/a/projects/-p/...jsonl',
    '/a/projects/../x.jsonl',
    '/a/projects/-p/../x.jsonl',
    path(`/subagents/agent-${'x'.repeat(300)}.jsonl`),
    path('/subagents/c:/agent-a.jsonl'),
  ])('is not made up for %j', async (filePath) => {
    const { mirror, appended, ignored } = stage();
    mirror.receive({ ...frame([1]), filePath } as TranscriptMirrorFrame);
    await mirror.flush();
    expect([appended, ignored]).toEqual([[], [filePath]]);
  });

  it('brings no entry that is no object to a store', async () => {
    const { mirror, errors, numbers } = stage();
    const entries = [null, { type: 'x', number: 1 }, 5, 'x', [], undefined] as never[];
    mirror.receive({ type: 'transcript_mirror', filePath: path('.jsonl'), entries });
    await mirror.flush();
    expect(numbers()).toEqual([[1]]);
    expect(errors.map(({ error }) => error)).toEqual(['5 of 6 entries are not objects and were left out']);
  });

  it('is enough, whatever else is missing', async () => {
    const { mirror, appended } = stage();
    mirror.receive({ type: 'transcript_mirror', filePath: path('.jsonl') } as TranscriptMirrorFrame);
    mirror.receive(frame([]));
    await mirror.flush();
    expect(appended).toEqual([]);
  });
});

it('fills a store that can be read again', async () => {
  const store = new InMemorySessionStore();
  const mirror = createSessionMirror({ store, flush: 'eager' });
  for (let number = 0; number < 50; number++) mirror.receive(frame([number]));
  await mirror.flush();
  expect(store.getEntries(KEY).map(({ number }) => number)).toEqual(
    Array.from({ length: 50 }, (_, index) => index),
  );
});

describe('a store that calls its error fatal', () => {
  const refuse: Append = () => Promise.reject(Object.assign(new Error('no longer yours'), { fatal: true }));

  it('is told once, without another attempt, and gets nothing more', async () => {
    const refused: Error[] = [];
    const onRefused = (error: Error): void => void refused.push(error);
    const { mirror, numbers, errors } = stage({ append: refuse, flush: 'eager', onRefused });
    mirror.receive(frame([1]));
    mirror.receive(frame([2]));
    mirror.receive(frame([3], path('/subagents/agent-a.jsonl')));
    await mirror.flush();
    mirror.receive(frame([4]));
    await mirror.flush();
    // Of two transcripts both were under way.
    expect(numbers()).toEqual([[1], [3]]);
    expect(errors).toEqual([]);
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatchObject({ code: 'SESSION_STORE_FAILED', retryable: false });
  });
});
