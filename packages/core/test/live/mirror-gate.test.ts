import { expect, it, vi } from 'vitest';
import type { UndecodedPiece } from '../../src/wire/protocol/piece-run.js';
import type { SDKMessage } from '../../src/wire/protocol/messages/messages.js';
import type { SessionStore } from '../../src/wire/protocol/config/session-store.js';
import { MirrorGate } from '../../src/live/mirror-gate.js';
import { createDeferred } from '../../src/util/deferred.js';
import { PATIENCE_MS } from '../../../../test/support/wait-until.js';

const ID = '11111111-1111-4111-8111-111111111111';
const frame = {
  type: 'transcript_mirror',
  filePath: `/home/x/.claude/projects/-work/${ID}.jsonl`,
  entries: [{ type: 'user', uuid: 'u1' }],
};
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function setUp(store?: SessionStore) {
  const given: string[] = [];
  const gate = new MirrorGate({
    store,
    flush: undefined,
    push: (message: SDKMessage) =>
      given.push('subtype' in message ? `${message.type}/${message.subtype}` : message.type),
    pushPiece: ({ line }: UndecodedPiece) => given.push(line),
    onIgnored: vi.fn(),
    onRefused: (error) => given.push(`refused: ${error.message}`),
  });
  const pass = (message: { type: string }): void => gate.pass(message, JSON.stringify(message));
  return { gate, given, pass };
}

it('lets everything through at once when there is no store, but no transcript frame', () => {
  const { gate, given, pass } = setUp();
  pass(frame);
  pass({ type: 'result' });
  const end = vi.fn();
  gate.finish(end);
  expect(given).toEqual(['result']);
  expect(end).toHaveBeenCalledTimes(1);
});

it('holds a result, and what follows it, until the transcript is stored', async () => {
  const stored = createDeferred<void>();
  const append = vi.fn(() => stored.promise);
  const { gate, given, pass } = setUp({ append, load: async () => null });
  pass({ type: 'assistant' });
  pass(frame);
  pass({ type: 'result' });
  pass({ type: 'prompt_suggestion' });
  const end = vi.fn(() => given.push('end'));
  gate.finish(end);
  await tick();
  expect(given).toEqual(['assistant']);
  expect(append).toHaveBeenCalledTimes(1);
  stored.resolve();
  await vi.waitFor(() => expect(end).toHaveBeenCalled(), PATIENCE_MS);
  expect(given).toEqual(['assistant', 'result', 'prompt_suggestion', 'end']);
});

it('keeps pieces that are not decoded in their place', async () => {
  const { gate, given, pass } = setUp({ append: async () => {}, load: async () => null });
  const piece = { line: 'piece' } as UndecodedPiece;
  gate.passPiece(piece);
  pass({ type: 'result' });
  gate.passPiece(piece);
  pass({ type: 'assistant' });
  expect(given).toEqual(['piece']);
  await vi.waitFor(() => expect(given).toEqual(['piece', 'result', 'piece', 'assistant']), PATIENCE_MS);
});

it('passes at once again when nothing is held', async () => {
  const { given, pass } = setUp({ append: async () => {}, load: async () => null });
  pass({ type: 'result' });
  await vi.waitFor(() => expect(given).toEqual(['result']), PATIENCE_MS);
  await tick();
  pass({ type: 'assistant' });
  expect(given).toEqual(['result', 'assistant']);
});

it('tells of a store that fails before the result it failed for', async () => {
  vi.useFakeTimers();
  try {
    const { given, pass } = setUp({
      append: () => Promise.reject(new Error('store down')),
      load: async () => null,
    });
    pass(frame);
    pass({ type: 'result' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(given).toEqual(['system/mirror_error', 'result']);
  } finally {
    vi.useRealTimers();
  }
});

it('gives nothing more to the consumer once the store has refused entries for good', async () => {
  const append = (): Promise<void> =>
    Promise.reject(Object.assign(new Error('epoch 4 is over'), { fatal: true }));
  const { gate, given, pass } = setUp({ append, load: () => Promise.resolve(null) });
  pass(frame);
  pass({ type: 'result' });
  pass({ type: 'system' });
  const end = createDeferred<void>();
  gate.finish(() => end.resolve());
  await end.promise;
  expect(given).toEqual([`refused: SessionStore.append() failed for session ${ID}: epoch 4 is over`]);
});
