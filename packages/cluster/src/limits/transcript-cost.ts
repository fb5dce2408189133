// Works out from a transcript what a turn has cost, for attempts that told nobody: their worker or their CLI died.
import { beginsTurn } from '@inboard/core/record/history/transcript/transcript-state.js';
import {
  maxUsage,
  priceOf,
  readApiUsage,
  type PriceTable,
  type UsageCount,
} from '@inboard/core/record/usage/usage-count.js';
import { isRecord } from '@inboard/core/util/guards.js';
import type { SessionStoreEntry } from '@inboard/core/wire/protocol/config/session-store.js';

/**
 * US dollars that the turn whose message has this uuid has cost by its entries. Models without a price cost nothing, and so do
 * subagents, which have transcripts of their own, and what the CLI did not come to write down.
 */
export function priceTurn(entries: readonly SessionStoreEntry[], uuid: string, prices: PriceTable): number {
  const begin = entries.findIndex((entry) => entry.uuid === uuid);
  if (begin < 0) return 0;
  // The entries of one message each have the usage up to then.
  const used = new Map<unknown, { model: string; usage: UsageCount }>();
  for (const entry of entries.slice(begin + 1)) {
    if (entry.type === 'user' && beginsTurn(entry)) break;
    const message = (entry as { message?: unknown }).message;
    if (entry.type !== 'assistant' || !isRecord(message)) continue;
    const { id = entry.uuid, model, usage: given } = message;
    if (typeof model !== 'string') continue;
    const usage = readApiUsage(given);
    const known = used.get(id);
    used.set(id, { model, usage: known ? maxUsage(known.usage, usage) : usage });
  }
  let costUsd = 0;
  for (const { model, usage } of used.values()) costUsd += priceOf(model, usage, prices) ?? 0;
  return costUsd;
}
