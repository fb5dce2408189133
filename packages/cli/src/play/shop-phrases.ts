// What the model of `inboard play` says: help, and sentences about the results of the tools.
import { isRecord } from '@inboard/core/util/guards.js';
import { countOf } from '@inboard/core/util/message-of.js';
import type { Wish } from './read-question.js';
import type { FinishedCall } from './read-turn.js';
import { formatCents, toCents } from './shop.js';
import { SHOP_TOOLS } from './shop-tools.js';

export const HELP = `You can ask, in your own words:
- what do you have? How many apples and pears? What does honey cost?
- where is order 1042? Show all orders.
- buy 3 apples
- refund order 1042, or a part of it: 10 euros of order 1042. You have to allow it.
- export the orders (slow; Ctrl-C interrupts it)
- crash, and then resume
- what did I ask before?`;

type Value = FinishedCall['value'];

/** How many of the earlier questions are quoted. */
const MOST_QUOTED = 4;
const LONGEST_QUOTE = 60;

/** The latest of some questions, quoted. */
export function quoteQuestions(questions: readonly string[]): string {
  const quoted = questions.slice(-MOST_QUOTED).map((each) => `“${each.slice(0, LONGEST_QUOTE)}”`);
  const more = questions.length - quoted.length;
  return [...(more > 0 ? [countOf(more, 'other question')] : []), ...quoted].join(', ');
}

/** Says what the tools returned. */
export function describeResults(wish: Wish, calls: readonly FinishedCall[]): string {
  const failed = calls.find(({ isError }) => isError);
  if (failed?.name === SHOP_TOOLS.refund) return `Nothing was paid back. The answer was: ${failed.text}`;
  if (failed) return `That did not work. The tool says: ${failed.text}`;
  // A refund without an amount begins with a look at the order, which is not what was asked for.
  const told = wish.kind === 'refund' ? calls.slice(-1) : calls;
  return told.map((call) => describeResult(wish, call)).join(' ');
}

function describeResult(wish: Wish, { name, value, input, text }: FinishedCall): string {
  switch (name) {
    case SHOP_TOOLS.search:
      return `The shop has:\n${listRecords(value['articles']).map(describeArticle).join('\n')}`;
    case SHOP_TOOLS.stock:
      return wish.kind === 'price'
        ? `One ${String(value['one'])} costs ${formatCents(Number(value['cents']))}.`
        : `We have ${String(value['stock'])} ${String(value['name'])}, for ${formatCents(Number(value['cents']))} each.`;
    case SHOP_TOOLS.orders:
      return `The orders:\n${listRecords(value['orders'])
        .map((order) => `- ${describeOrder(order)}`)
        .join('\n')}`;
    case SHOP_TOOLS.status:
      return describeOrder(value);
    case SHOP_TOOLS.buy:
      return `Done: ${describeOrder(value)}`;
    case SHOP_TOOLS.refund:
      return describeRefund(wish, value, input);
    case SHOP_TOOLS.export:
      return describeExport(value);
    default:
      return text;
  }
}

function describeArticle({ name, stock, cents }: Value): string {
  return `- ${String(name)}: ${formatCents(Number(cents))}, ${String(stock)} in stock`;
}

function describeOrder({ order, customer, items, total, refunded, where }: Value): string {
  const back = Number(refunded) > 0 ? ` (${euros(refunded)} paid back)` : '';
  return `Order ${String(order)} for ${String(customer)}: ${String(items)}; ${euros(total)}${back}. It is ${String(where)}.`.replace(
    'It is delivered',
    'It was delivered',
  );
}

function describeRefund(wish: Wish, value: Value, input: Value): string {
  const { order, paid, total, refunded } = value;
  // The transcript has the call as the model made it.
  const asked = wish.kind === 'refund' && wish.amount !== undefined ? wish.amount : input['amount'];
  const change = asked === paid ? '' : ` You changed the amount: I had asked for ${euros(asked)}.`;
  return `Paid back ${euros(paid)} for order ${String(order)}; ${euros(refunded)} of ${euros(total)} in all.${change}`;
}

function describeExport({ lines, wentOnAtLine }: Value): string {
  const wrote = `The export has ${String(lines)} orders.`;
  return Number(wentOnAtLine) > 1
    ? `${wrote} It was cut off when the CLI was killed, and went on at order ${String(wentOnAtLine)} of ${String(lines)}: the tool runs in this process, which lived on.`
    : wrote;
}

function listRecords(value: unknown): Value[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function euros(amount: unknown): string {
  return formatCents(toCents(Number(amount)));
}
