// Looks from time to time whether an attempt still has its fence, so that its CLI ends soon after a newer attempt has begun. Every
// write finds out as well.
import { clock } from '@inboard/core/util/system/clock.js';
import type { Ledger, LedgerFence } from '../ledger/ledger.js';

const LOOK_EVERY_MS = 5000;

/** Calls `onLost` if the fence is lost. Returns a function that ends the looking. */
export function watchFence(ledger: Ledger, fence: LedgerFence, onLost: () => void): () => void {
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      if (!(await ledger.holds(fence))) onLost();
    } catch {
      // The ledger is away for a moment. The next look, or the next write, finds out.
    } finally {
      isLooking = false;
    }
  };
  const timer = clock.setInterval(() => void look(), LOOK_EVERY_MS);
  return () => clock.clearInterval(timer);
}
