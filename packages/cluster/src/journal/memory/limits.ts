// The limits of the journal in memory: pauses, and the money that was spent.
import type { Caller } from '../filters.js';
import type { Journal, TenantScope } from '../journal.js';
import type { Pause, TurnRecord } from '../records.js';
import { eraseTenant, noteDeed } from './audit.js';
import type { MemoryState, StoredConversation } from './memory-state.js';

/** Milliseconds of a day. */
export const DAY_MS = 24 * 60 * 60 * 1000;

/** `Journal.pause`. */
export function pause(state: MemoryState, { tenant, ms, reason }: Parameters<Journal['pause']>[0]): void {
  const until = state.now() + ms;
  const known = state.pauses.get(tenant);
  if (!known || known.until < until) state.pauses.set(tenant, { tenant, until, reason });
}

/** `Journal.pauses`. */
export function listPauses(state: MemoryState, { tenant: wanted }: TenantScope = {}): Pause[] {
  for (const [tenant, { until }] of state.pauses) if (until <= state.now()) state.pauses.delete(tenant);
  return [...state.pauses.values()].filter(
    ({ tenant }) => wanted === undefined || tenant === undefined || tenant === wanted,
  );
}

/** The pause that holds back a tenant's turns for the longest time. */
export function findPause(state: MemoryState, tenant: string | undefined): Pause | undefined {
  const isOn = (found: Pause | undefined): found is Pause => !!found && found.until > state.now();
  const all = state.pauses.get(undefined);
  const own = tenant === undefined ? undefined : state.pauses.get(tenant);
  return [all, own].filter(isOn).sort((one, other) => other.until - one.until)[0];
}

/** Counts what a turn has cost beyond the amount that was already counted. */
export function countCost(
  state: MemoryState,
  conversation: StoredConversation,
  turn: TurnRecord,
  usd: number,
): void {
  if (!(usd > 0)) return;
  turn.turnCostUsd += usd;
  conversation.totalCostUsd += usd;
  const day = Math.floor(state.now() / DAY_MS);
  const tenants = state.spending.get(day) ?? new Map<string | undefined, number>();
  tenants.set(conversation.tenant, (tenants.get(conversation.tenant) ?? 0) + usd);
  state.spending.set(day, tenants);
}

/** `Journal.spent`. */
export function sumSpending(
  state: MemoryState,
  { tenant, days = Infinity }: NonNullable<Parameters<Journal['spent']>[0]> = {},
): number {
  const first = Math.floor(state.now() / DAY_MS) - days + 1;
  let sum = 0;
  for (const [day, tenants] of state.spending) {
    if (day < first) continue;
    for (const [name, usd] of tenants) if (tenant === undefined || name === tenant) sum += usd;
  }
  return sum;
}

/** `Journal.forgetTenant`. */
export function forgetTenant(state: MemoryState, tenant: string, { by }: Caller = {}): void {
  let isKnown = state.pauses.has(tenant);
  for (const tenants of state.spending.values()) {
    const usd = tenants.get(tenant);
    if (usd === undefined) continue;
    isKnown = true;
    tenants.delete(tenant);
    tenants.set(undefined, (tenants.get(undefined) ?? 0) + usd);
  }
  state.pauses.delete(tenant);
  // A tenant that nobody knew is not forgotten.
  if (eraseTenant(state, tenant) || isKnown) noteDeed(state, { what: 'tenantForgotten', by });
}
