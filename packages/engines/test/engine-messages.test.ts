// Messages of a running turn reach the program's function with their turn, on all adapters. test/engines shows it on the real engines.
import { expect, it } from 'vitest';
import type { AttemptEnd } from '@inboard/durable/attempt/attempt-end.js';
import type { AttemptTurnInput } from '@inboard/durable/attempt/attempt-input.js';
import { createMemoryLedger } from '@inboard/durable/ledger/memory-ledger.js';
import { prepareAttempts, type EngineOptions, type MakeAttempt } from '../src/turn/engine-agents.js';

/** An attempt with one message. */
async function makeOne({ onMessage }: AttemptTurnInput): Promise<AttemptEnd> {
  await onMessage?.('message' as never);
  return { state: 'lost' };
}

const TURN = { conversation: 'chat', agent: 'support', id: '1', content: 'Hello' };
const options = { agents: { support: {} }, ledger: createMemoryLedger() };

function prepare(onMessage: EngineOptions['onMessage']): MakeAttempt {
  return prepareAttempts('adapter()', { ...options, onMessage }, makeOne);
}

it('gives each message to onMessage, with its turn, and waits for it', async () => {
  const seen: unknown[] = [];
  const attempt = prepare(async (...given) => {
    await Promise.resolve();
    seen.push(given);
  });
  expect(await attempt(TURN)).toEqual({ state: 'lost' });
  expect(seen).toEqual([['message', TURN]]);
});

it('makes an attempt fail with what onMessage threw', async () => {
  const attempt = prepare(() => Promise.reject(new Error('the page is gone')));
  await expect(attempt(TURN)).rejects.toThrow('the page is gone');
});

it('lets an adapter that counts messages take them itself', async () => {
  const seen: string[] = [];
  const attempt = prepare(() => void seen.push('option'));
  await attempt(TURN, { onMessage: () => void seen.push('adapter') });
  expect(seen).toEqual(['adapter']);
});

it('refuses an onMessage that is no function', () => {
  expect(() => prepare('page' as never)).toThrow('"onMessage"');
});
