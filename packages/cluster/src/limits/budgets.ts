// Decides how much a turn may cost, from the budgets of its conversation, its tenant and the cluster. As the turn begins, the
// journal reserves that amount, so that turns which run at the same time do not spend the same money.
import { ClusterError, InvalidOptionsError } from '@inboard/core/errors.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { inWords, record, requireShape, shape, wholeNumber } from '@inboard/core/util/option-shapes.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import type { PriceTable } from '@inboard/core/record/usage/usage-count.js';
import type { Journal } from '../journal/journal.js';
import type { ConversationRecord, Fence, TurnOutcome, TurnRecord } from '../journal/records.js';
import {
  daysOf,
  describeCrossed,
  describeReserveCrossed,
  describeTaken,
  refuseTurn,
  refuseUsedUp,
  usdOf,
  type Budget,
  type NamedBudget,
} from './budget-texts.js';
import { checkPrices } from './check-prices.js';
import { lowerBudget } from './lower-budget.js';

export type { Budget } from './budget-texts.js';

/**
 * How much turns may cost. A turn does not begin if one of these budgets is used up. While it runs, it holds back what its CLI
 * may spend, so that turns that run at the same time keep to the budgets together.
 */
export interface Budgets {
  /** For each conversation. */
  conversation?: Budget | undefined;
  /**
   * For each tenant: the same amount for all, or a function that decides for each. The function may return undefined for no
   * limit. Conversations without a tenant have no such budget.
   */
  tenant?: Budget | ((tenant: string) => Budget | undefined) | undefined;
  /** For all conversations together. */
  cluster?: Budget | undefined;
  /**
   * US dollars that a turn holds back while it runs, and that its CLI may spend. Less if the agent's `maxBudgetUsd` is lower, or
   * if less is left. Default: the agent's `maxBudgetUsd`, otherwise all that is free. Without both, turns of one budget run one
   * after the other.
   */
  reserveUsd?: number | undefined;
  /**
   * What becomes of a turn when running turns have reserved what is left. `wait` (default): it begins once one of them has
   * ended. `refuse`: it ends as `refused`, with the code `BUDGET_RESERVED`.
   */
  whenReserved?: 'wait' | 'refuse' | undefined;
  /**
   * Prices in US dollars per million tokens, by model. With them, the cost of an attempt whose worker or CLI died is counted
   * from the transcript. Default: none, and such a cost is not known.
   */
  prices?: PriceTable | undefined;
}

/** Whether a turn may begin, and how many US dollars it may cost, or why it may not begin. */
export type BudgetDecision =
  /** `isReserved`: the turn holds this amount back from its budgets. */
  (
    | {
        admitted: true;
        maxBudgetUsd?: number | undefined;
        isReserved?: true | undefined;
        /** Says which budget ended the turn, once its CLI has spent `maxBudgetUsd`. */
        describeCrossed?: () => Promise<string>;
      }
    | { admitted: false; outcome: TurnOutcome }
    /** It lines up. It is to be given back, and looks again after `afterMs` at the latest. `again`: it waited for the same before. */
    | { admitted: false; outcome?: undefined; afterMs: number; reason: string; again?: true | undefined }
  ) & {
    /** Whether the journal has counted the `turnCostUsd` that was given. */
    isCounted?: true | undefined;
  };

/** What is known about a turn that is to begin. */
export interface BudgetFacts {
  /** The lease under which money is reserved. Without it, nothing is reserved. */
  fence?: Fence | undefined;
  /** The agent's own limit, if it is known. */
  ownUsd?: number | undefined;
  /** What the turn has cost so far, as far as it is known. */
  turnCostUsd?: number | undefined;
}

/**
 * Milliseconds after which a turn that waits looks again, although no other has settled: after as long as it has waited, within these
 * limits. It finds money that no other turn gives back, because a day is over, or because the budget was raised.
 */
const LOOK_AGAIN_MS = { least: 30_000, most: 300_000 };

/** A budget that applies to a turn, and how many US dollars are left of it. */
interface Remaining extends NamedBudget {
  usd: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const NAMES = ['conversation', 'tenant', 'cluster'] as const;
const SETTINGS = ['reserveUsd', 'whenReserved', 'prices'] as const;

/** Throws an InvalidOptionsError if the budgets are wrong. */
export function checkBudgets(budgets: unknown): void {
  if (budgets === undefined) return;
  requireShape('budgets', budgets, inWords(`an object with ${SHAPE}`, record));
  for (const [name, given] of Object.entries(budgets as object) as [string, unknown][]) {
    if ((SETTINGS as readonly string[]).includes(name)) continue;
    if (!NAMES.includes(name as (typeof NAMES)[number]))
      throw new InvalidOptionsError(
        [`budgets.${name}`],
        `There is no budget "${name}": "budgets" has ${SHAPE}, and ${SETTINGS.map((each) => `"${each}"`).join(', ')}`,
      );
    if (given !== undefined && !(name === 'tenant' && typeof given === 'function'))
      checkBudget(given, `budgets.${name}`);
  }
  const { reserveUsd, whenReserved, prices } = budgets as Record<(typeof SETTINGS)[number], unknown>;
  if (reserveUsd !== undefined) requireShape('budgets.reserveUsd', reserveUsd, RESERVED);
  if (whenReserved !== undefined) requireShape('budgets.whenReserved', whenReserved, WHEN_RESERVED);
  checkPrices('budgets.prices', prices);
}

const SHAPE = '"conversation", "tenant" and "cluster"';

/** The journal and the budgets by which it is decided. */
interface BudgetRules {
  journal: Pick<Journal, 'conversation' | 'spent' | 'turns' | 'reserve'>;
  budgets: Budgets | undefined;
}

/**
 * Decides whether a turn may begin or go on, and what it may cost, and reserves that. Rejects if the journal rejects, and with
 * BUDGET_FAILED if the user's function for tenants throws.
 */
export async function decideBudget(
  { journal, budgets = {} }: BudgetRules,
  turn: TurnRecord,
  conversation: ConversationRecord,
  { fence, ownUsd, turnCostUsd }: BudgetFacts = {},
): Promise<BudgetDecision> {
  const named = listBudgets(budgets, conversation);
  if (named.length === 0) return { admitted: true };
  const atMostUsd = lowerBudget(budgets.reserveUsd, ownUsd);
  const admit = (maxBudgetUsd: number) => ({
    admitted: true as const,
    maxBudgetUsd,
    describeCrossed: async () =>
      maxBudgetUsd === budgets.reserveUsd
        ? describeReserveCrossed(maxBudgetUsd)
        : describeCrossed(await findScarcest(journal, named, conversation)),
  });
  if (!fence || !journal.reserve) {
    // What turns that run at the same time spend is not known then.
    const all = await listRemaining(journal, named, conversation);
    const least = findLeast(all);
    // Sums of fractions are never exact, and a CLI takes no budget of zero. So a tiny rest counts as used up.
    if (least.usd < SMALLEST_USD) return { admitted: false, outcome: refuseUsedUp(least, turn.turnCostUsd) };
    return admit(Math.min(least.usd, atMostUsd ?? Infinity));
  }
  const waits = budgets.whenReserved !== 'refuse';
  const answer = await journal.reserve(fence, turn.id, {
    budgets: named.map(({ of: whose, budget }) => ({ of: whose, usd: usdOf(budget), days: daysOf(budget) })),
    ...(atMostUsd !== undefined && { atMostUsd }),
    ...(turnCostUsd !== undefined && { turnCostUsd }),
    waits,
  });
  const isCounted = turnCostUsd === undefined ? {} : ({ isCounted: true } as const);
  if (answer.state === 'reserved') return { ...admit(answer.usd), isReserved: true, ...isCounted };
  const inTheWay = named[answer.budget] as NamedBudget;
  const costs = Math.max(turn.turnCostUsd, turnCostUsd ?? 0);
  if (answer.state === 'usedUp') return { admitted: false, outcome: refuseUsedUp(inTheWay, costs) };
  const reason = describeTaken(inTheWay, answer, atMostUsd);
  if (waits) {
    const { waitedMs } = answer;
    const afterMs = Math.min(Math.max(waitedMs ?? 0, LOOK_AGAIN_MS.least), LOOK_AGAIN_MS.most);
    return { admitted: false, afterMs, reason, ...(waitedMs !== undefined && { again: true }), ...isCounted };
  }
  return { admitted: false, outcome: refuseTurn('BUDGET_RESERVED', reason, costs) };
}

/** The budget that has least left. All of them if the journal does not answer: nobody waits for this. */
async function findScarcest(
  journal: BudgetRules['journal'],
  named: readonly NamedBudget[],
  conversation: ConversationRecord,
): Promise<readonly NamedBudget[]> {
  if (named.length === 1) return named;
  try {
    return [findLeast(await listRemaining(journal, named, conversation))];
  } catch {
    return named;
  }
}

function findLeast(all: readonly Remaining[]): Remaining {
  return all.reduce((one, other) => (other.usd < one.usd ? other : one));
}

const SMALLEST_USD = 1e-6;

/** The budgets that apply to the turns of a conversation. */
function listBudgets(
  { conversation: ofConversation, tenant: ofTenant, cluster: ofCluster }: Budgets,
  conversation: ConversationRecord,
): NamedBudget[] {
  const { key, tenant } = conversation;
  const found: NamedBudget[] = [];
  if (ofConversation !== undefined)
    found.push({ of: 'conversation', what: `the conversation "${key}"`, budget: ofConversation });
  const budget = typeof ofTenant === 'function' ? askForBudget(ofTenant, conversation) : ofTenant;
  if (tenant !== undefined && budget !== undefined) {
    checkBudget(budget, `budgets.tenant("${tenant}")`);
    found.push({ of: 'tenant', what: `the tenant "${tenant}"`, budget });
  }
  if (ofCluster !== undefined)
    found.push({ of: 'cluster', what: 'all conversations together', budget: ofCluster });
  return found;
}

async function listRemaining(
  journal: BudgetRules['journal'],
  named: readonly NamedBudget[],
  conversation: ConversationRecord,
): Promise<Remaining[]> {
  const { key, tenant } = conversation;
  const found: Remaining[] = [];
  for (const each of named) {
    const { budget } = each;
    const days = daysOf(budget);
    const readSpent = async (): Promise<number> => {
      if (each.of !== 'conversation')
        return await journal.spent(each.of === 'tenant' ? { tenant, days } : { days });
      // Reads the conversation again. The worker's record is from the beginning of its lease, and many turns may have ended
      // since.
      const current = (await journal.conversation(key)) ?? conversation;
      return days === undefined ? current.totalCostUsd : sumOfDays(await journal.turns(key), current, days);
    };
    found.push({ ...each, usd: usdOf(budget) - (await readSpent()) });
  }
  return found;
}

/**
 * Calls the user's function. If it throws, the error has its own code: the journal is not to blame, and asking the journal
 * again does not help.
 */
function askForBudget(
  decide: (tenant: string) => Budget | undefined,
  { key, tenant }: ConversationRecord,
): Budget | undefined {
  if (tenant === undefined) return undefined;
  try {
    return decide(tenant);
  } catch (cause) {
    const message = `The function "budgets.tenant" failed for the tenant "${tenant}": ${messageOf(cause)}`;
    throw new ClusterError('BUDGET_FAILED', message, { key, cause });
  }
}

/**
 * What the turns of a conversation have cost since the beginning of a day, by the times in the journal and not by this
 * process's clock.
 */
function sumOfDays(turns: readonly TurnRecord[], { updatedAt }: ConversationRecord, days: number): number {
  const timeOf = ({ endedAt, startedAt, sentAt }: TurnRecord): number => endedAt ?? startedAt ?? sentAt;
  const now = Math.max(updatedAt, ...turns.slice(-1).map(timeOf));
  const since = (Math.floor(now / DAY_MS) - days + 1) * DAY_MS;
  return turns.reduce((sum, turn) => (timeOf(turn) >= since ? sum + turn.turnCostUsd : sum), 0);
}

const MONEY = shape(
  'a number of US dollars, at least 0',
  (value) => Number.isFinite(value) && (value as number) >= 0,
);
const RESERVED = shape(
  'a number of US dollars above 0',
  (value) => Number.isFinite(value) && (value as number) >= SMALLEST_USD,
);
const WHEN_RESERVED = shape('"wait" or "refuse"', (value) => value === 'wait' || value === 'refuse');
const DAYS = inWords('a whole number of days, at least 1', wholeNumber(1));

function checkBudget(given: unknown, name: string): void {
  if (!isRecord(given)) {
    requireShape(name, given, inWords(`${MONEY.expected}, or { usd, days }`, MONEY));
    return;
  }
  requireShape(`${name}.usd`, given['usd'], MONEY);
  requireShape(`${name}.days`, given['days'], DAYS);
}
