// However turns that share budgets begin and end, they keep to them: random schedules on the journal in memory.
import { expect, it } from 'vitest';
import { memoryJournal } from '../../src/journal/memory/memory-journal.js';
import { playBudgets } from '../support/budget-schedule.js';

const SEEDS = 30;

it('no schedule spends more beyond a budget than turns cost above their reservations, or forgets a turn', async () => {
  const all: Record<string, number> = {};
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    let now = Date.UTC(2026, 0, 5);
    const journal = memoryJournal({ now: () => now });
    const counts = await playBudgets({
      journals: [journal],
      seed,
      steps: 80,
      // No turn looks again by itself: only a turn that settles helps.
      afterMs: 86_400_000,
      expire: async (fence) => {
        await journal.renew([fence], 1);
        now += 2;
      },
      rest: () => Promise.resolve(false),
    });
    for (const [what, count] of Object.entries(counts)) all[what] = (all[what] ?? 0) + count;
  }
  for (const what of ['begun', 'lowered', 'refused', 'waited', 'killed', 'parked', 'handed over', 'ended'])
    expect(all[what], what).toBeGreaterThan(SEEDS / 2);
});
