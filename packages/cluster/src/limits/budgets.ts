// Decides how much a turn may cost, from the budgets of its conversation, its tenant and the cluster. The decision is made as
// the turn begins, from the costs that the journal has counted. Turns that run at the same time may together exceed a budget.
import { ClusterError, InvalidOptionsError } from '@inboard/core/errors.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { inWords, record, requireShape, shape, wholeNumber } from '@inboard/core/util/option-shapes.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import type { Journal } from '../journal/journal.js';
import type { ConversationRecord, TurnOutcome, TurnRecord } from '../journal/records.js';

/** US dollars in total, or within the last `days` days (UTC, by the journal's clock), including today. */
export type Budget = number | { usd: number; days: number };

/**
 * How much turns may cost. A turn does not begin if one of these budgets is used up. The CLI stops a turn when its cost reaches
 * the smallest amount that was left. Turns that run at the same time do not know of each other, so together they may exceed a
 * budget.
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
}

/** Whether a turn may begin, and how many US dollars it may cost, or why it may not begin. */
export type BudgetDecision =
  { admitted: true; maxBudgetUsd?: number | undefined } | { admitted: false; outcome: TurnOutcome };

/** A budget that applies to a turn, and how many US dollars are left of it. */
interface Remaining {
  what: string;
  budget: Budget;
  usd: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const NAMES = ['conversation', 'tenant', 'cluster'] as const;

/** Throws an InvalidOptionsError if the budgets are wrong. */
export function checkBudgets(budgets: unknown): void {
  if (budgets === undefined) return;
  requireShape('budgets', budgets, inWords(`an object with ${SHAPE}`, record));
  for (const [name, given] of Object.entries(budgets as object) as [string, unknown][]) {
    if (!NAMES.includes(name as (typeof NAMES)[number]))
      throw new InvalidOptionsError(
        [`budgets.${name}`],
        `There is no budget "${name}": "budgets" has ${SHAPE}`,
      );
    if (given !== undefined && !(name === 'tenant' && typeof given === 'function'))
      checkBudget(given, `budgets.${name}`);
  }
}

const SHAPE = '"conversation", "tenant" and "cluster"';

/**
 * Decides whether a turn may begin or go on, and what it may cost. Rejects if the journal rejects, and with BUDGET_FAILED if
 * the user's function for tenants throws.
 */
export async function decideBudget(
  {
    journal,
    budgets = {},
  }: { journal: Pick<Journal, 'conversation' | 'spent' | 'turns'>; budgets: Budgets | undefined },
  turn: TurnRecord,
  conversation: ConversationRecord,
): Promise<BudgetDecision> {
  const all = await listRemaining(journal, budgets, conversation);
  const [first, ...others] = all;
  if (first === undefined) return { admitted: true };
  const least = others.reduce((one, other) => (other.usd < one.usd ? other : one), first);
  // Sums of fractions are never exact, and a CLI takes no budget of zero. So a tiny rest counts as used up.
  if (least.usd < SMALLEST_USD) return { admitted: false, outcome: refuse(least, turn) };
  return { admitted: true, maxBudgetUsd: least.usd };
}

const SMALLEST_USD = 1e-6;

async function listRemaining(
  journal: Pick<Journal, 'conversation' | 'spent' | 'turns'>,
  { conversation: ofConversation, tenant: ofTenant, cluster: ofCluster }: Budgets,
  conversation: ConversationRecord,
): Promise<Remaining[]> {
  const { key, tenant } = conversation;
  const found: Remaining[] = [];
  const add = (what: string, budget: Budget, spent: number): void => {
    found.push({ what, budget, usd: usdOf(budget) - spent });
  };
  if (ofConversation !== undefined) {
    // Reads the conversation again. The worker's record is from the beginning of its lease, and many turns may have ended
    // since.
    const current = (await journal.conversation(key)) ?? conversation;
    const spent =
      typeof ofConversation === 'number'
        ? current.costUsd
        : sumOfDays(await journal.turns(key), current, ofConversation.days);
    add(`the conversation "${key}"`, ofConversation, spent);
  }
  const budget = typeof ofTenant === 'function' ? askForBudget(ofTenant, conversation) : ofTenant;
  if (tenant !== undefined && budget !== undefined) {
    checkBudget(budget, `budgets.tenant("${tenant}")`);
    add(`the tenant "${tenant}"`, budget, await journal.spent({ tenant, days: daysOf(budget) }));
  }
  if (ofCluster !== undefined)
    add('all conversations together', ofCluster, await journal.spent({ days: daysOf(ofCluster) }));
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
  return turns.reduce((sum, turn) => (timeOf(turn) >= since ? sum + turn.costUsd : sum), 0);
}

function refuse({ what, budget }: Remaining, { costUsd }: TurnRecord): TurnOutcome {
  const span = typeof budget === 'number' ? '' : budget.days === 1 ? ' a day' : ` in ${budget.days} days`;
  const message = `The budget of ${what} is used up: ${usdOf(budget)} US dollars${span}.`;
  return { ok: false, kind: 'refused', text: message, error: { code: 'BUDGET_EXCEEDED', message }, costUsd };
}

const MONEY = shape(
  'a number of US dollars, at least 0',
  (value) => Number.isFinite(value) && (value as number) >= 0,
);
const DAYS = inWords('a whole number of days, at least 1', wholeNumber(1));

function checkBudget(given: unknown, name: string): void {
  if (!isRecord(given)) {
    requireShape(name, given, inWords(`${MONEY.expected}, or { usd, days }`, MONEY));
    return;
  }
  requireShape(`${name}.usd`, given['usd'], MONEY);
  requireShape(`${name}.days`, given['days'], DAYS);
}

function usdOf(budget: Budget): number {
  return typeof budget === 'number' ? budget : budget.usd;
}

function daysOf(budget: Budget): number | undefined {
  return typeof budget === 'number' ? undefined : budget.days;
}
