// The ledger in memory keeps the contract of ledgers.
import { describe, expect, it } from 'vitest';
import { describeLedger } from '../../testing/src/conformance/ledger/ledger-conformance.js';
import type { TakenConversation } from '../src/ledger/ledger.js';
import { createMemoryLedger } from '../src/ledger/memory-ledger.js';

describeLedger(
  'the ledger in memory',
  () => ({ ledger: createMemoryLedger() }),
  { describe, it },
  { stopsProcess: false },
);

it('shows an attempt nothing of other conversations, even if it knows their session', async () => {
  const ledger = createMemoryLedger();
  const take = async (key: string) => (await ledger.take(key, { owner: 'a' })) as TakenConversation;
  const [own, other] = [await take('own'), await take('other')];
  const key = { projectKey: 'p', sessionId: other.sessionId };
  const entry = { type: 'user', uuid: 'u' };
  const fact = { type: 'left', callKey: 'c', at: 1 } as const;
  const store = ledger.store(other.fence);
  await store.append(key, [entry]);
  await store.calls(key).add(fact);
  expect([await store.load(key), await store.calls(key).load()]).toEqual([[entry], [fact]]);
  const foreign = ledger.store(own.fence);
  expect([await foreign.load(key), await foreign.calls(key).load()]).toEqual([null, []]);
});
