// The store of an attempt: what it repeats, when it gives up, and how it reads what earlier attempts left.
import { describe, expect, it } from 'vitest';
import { LeaseLostError } from '../../../core/src/errors.js';
import type { CallFact } from '../../../core/src/wire/protocol/config/call-records.js';
import { AttemptState } from '../../src/attempt/attempt-state.js';
import { HeldStore } from '../../src/attempt/held-store.js';
import type { Ledger, LedgerStore, TakenConversation } from '../../src/ledger/ledger.js';
import { createMemoryLedger } from '../../src/ledger/memory-ledger.js';

async function open(
  change: (store: LedgerStore) => Partial<LedgerStore> = () => ({}),
  ledger = createMemoryLedger(),
) {
  const { fence, sessionId } = (await ledger.take('chat', { owner: 'a' })) as TakenConversation;
  const state = new AttemptState(fence);
  const inner = ledger.store(fence);
  const facts: CallFact[] = [];
  const store = new HeldStore({
    store: { ...inner, ...change(inner) },
    state,
    onFact: (fact) => facts.push(fact),
  });
  return { ledger, state, store, facts, key: { projectKey: 'p', sessionId } };
}

const entry = { type: 'user', uuid: 'u' };
const begun = (callKey: string): CallFact => ({
  type: 'begun',
  callKey,
  toolName: 'pay',
  input: {},
  attempt: 1,
  owner: 'another process that cannot be looked up',
  at: 1,
});

describe('the store of an attempt', () => {
  it('repeats a write that fails for a moment', async () => {
    let failures = 2;
    const { store, key, state } = await open((inner) => ({
      append: async (...given) => {
        failures -= 1;
        if (failures >= 0) throw new Error('away');
        await inner.append(...given);
      },
    }));
    await store.append(key, [entry]);
    expect([await store.load(key), state.left]).toEqual([[entry], undefined]);
  });

  it('leaves the attempt when its fence is lost, and lets nothing through after that', async () => {
    const { ledger, store, key, state } = await open();
    await ledger.take('chat', { owner: 'b' });
    await expect(store.calls(key).add(begun('c'))).rejects.toBeInstanceOf(LeaseLostError);
    expect(state.left).toEqual({ why: 'lost' });
    expect(() => state.demand()).toThrow(LeaseLostError);
    await expect(store.append(key, [entry])).rejects.toMatchObject({ fatal: true });
  });

  it('leaves the attempt for an error that would come again', async () => {
    const { store, key, state } = await open();
    const error: unknown = await Promise.resolve(
      store.calls(key).add({ type: 'ended', at: 1 } as CallFact),
    ).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(state.left).toEqual({ why: 'failed', error });
  });

  it('lets a turn that waits save what it has', async () => {
    const { store, key, state } = await open();
    state.leave({ why: 'waiting' });
    await store.append(key, [entry]);
    expect(await store.load(key)).toEqual([entry]);
  });

  it('reads the calls and CLIs of earlier attempts as left behind', async () => {
    const ledger: Ledger = createMemoryLedger();
    const first = await open(undefined, ledger);
    const records = first.store.calls(first.key);
    await records.add({ type: 'covers', message: 'm', cli: 'a process', owner: 'a', at: 1 });
    await records.add(begun('one'));
    // The attempt that began a call does not count it as left.
    expect(await records.load()).toEqual([{ type: 'covers', message: 'm', owner: 'a', at: 1 }, begun('one')]);
    const second = await open(undefined, ledger);
    const own = second.store.calls(second.key);
    await own.add(begun('two'));
    expect((await own.load()).filter(({ type }) => type === 'left')).toEqual([
      { type: 'left', callKey: 'one', at: 0 },
    ]);
    expect(second.facts).toEqual([begun('two')]);
  });
});
