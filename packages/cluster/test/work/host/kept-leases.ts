// A keeper of leases on a journal that a test plays, for tests with a fake clock.
import { vi } from 'vitest';
import type { Journal, LeaseAnswer, RenewedLease } from '../../../src/journal/journal.js';
import type { ConversationRecord, Fence } from '../../../src/journal/records.js';
import type { HeldLease } from '../../../src/work/host/held-lease.js';
import { LeaseKeeper } from '../../../src/work/host/lease-keeper.js';

export const LEASE_MS = 3000;

/** A keeper on a journal that grants everything, and renews as the test says. */
export function createKeeper(renew: (fences: readonly Fence[]) => Promise<RenewedLease[]>) {
  let epoch = 0;
  const journal = {
    lease: vi.fn(async (key: string, { owner }: { owner: string }): Promise<LeaseAnswer> => ({
      state: 'granted',
      fence: { key, owner, epoch: (epoch += 1) },
      conversation: {} as ConversationRecord,
    })),
    renew: vi.fn(renew),
    release: vi.fn<Journal['release']>(async () => true),
  };
  const onTrouble = vi.fn();
  const onBack = vi.fn();
  const onReleased = vi.fn();
  const keeper = new LeaseKeeper({
    journal: journal as unknown as Journal,
    owner: 'me',
    leaseMs: LEASE_MS,
    onTrouble,
    onBack,
    onReleased,
  });
  const take = async (key: string): Promise<{ lease: HeldLease; lost: ReturnType<typeof vi.fn> }> => {
    const taken = await keeper.take(key);
    if (taken.state !== 'granted') throw new Error(taken.state);
    const lost = vi.fn();
    taken.lease.onLost = lost;
    return { lease: taken.lease, lost };
  };
  return { keeper, journal, onTrouble, onBack, onReleased, take };
}

/** Renews all of them. */
export const held = (fences: readonly Fence[]): RenewedLease[] =>
  fences.map(({ key, epoch }) => ({ key, epoch, held: true, hasWork: false }));
