// Asks the person whether an order may be paid back. The page of the inspector has the same question, and the first answer
// counts.
import { allow, deny } from '@inboard/core/answer/permissions/decisions.js';
import type {
  CanUseTool,
  PermissionResult,
} from '@inboard/core/wire/protocol/control/permission-question.js';
import { styled } from '../terminal/styled-text.js';
import { createStyler, noteLine, type Terminal } from '../terminal/terminal.js';
import type { PlayLines } from './play-lines.js';
import { formatCents, toCents } from './shop.js';
import { SHOP_TOOLS } from './shop-tools.js';

/** What was answered: yes, no, an amount, or that an amount is to be asked for. */
type Answer = 'yes' | 'no' | 'edit' | { amount: number };

const ANSWERS: Readonly<Record<string, Answer>> = {
  y: 'yes',
  yes: 'yes',
  ok: 'yes',
  n: 'no',
  no: 'no',
  e: 'edit',
  edit: 'edit',
};
const AMOUNT = /^(?:e |edit )?(?:€ ?)?(\d{1,9}(?:[.,]\d{1,2})?)(?: ?(?:€|eur|euros?))?$/;
const WHAT_IS_READ =
  'The refund waits for y, n, or an amount in EUR such as 12.50. Ask other things after it.';

/** Reads an answer. Undefined for any other text. */
export function readRefundAnswer(line: string): Answer | undefined {
  const said = line.trim().toLowerCase();
  if (Object.hasOwn(ANSWERS, said)) return ANSWERS[said];
  const [, amount] = AMOUNT.exec(said) ?? [];
  return amount === undefined ? undefined : { amount: Number(amount.replace(',', '.')) };
}

/** Creates the permission callback. In a pipe, the next line is the answer if it can be one; otherwise the answer is no. */
export function createRefundAsker(
  { terminal, lines }: { terminal: Terminal; lines: PlayLines },
  allowsAll: boolean,
): CanUseTool {
  return async (name, input, { signal }) => {
    if (name !== SHOP_TOOLS.refund) return deny('Only the tools of the shop may be used.');
    if (allowsAll) return allow();
    return await lines.whileAsking(() => ask({ terminal, lines, input, signal }));
  };
}

interface RefundQuestion {
  terminal: Terminal;
  lines: PlayLines;
  input: Record<string, unknown>;
  signal: AbortSignal;
}

async function ask({ terminal, lines, input, signal }: RefundQuestion): Promise<PermissionResult> {
  const style = createStyler(terminal, 'stderr');
  const amount = formatCents(toCents(Number(input['amount'])));
  await lines.dropTyped(signal);
  noteLine(
    terminal,
    style('yellow', styled`The model wants to pay back ${amount} for order ${String(input['order'])}.`),
  );
  let question = 'Allow it, here or on the page? y(es), n(o), e(dit), or an amount: ';
  for (;;) {
    const line = await lines.readAnswer(question, signal);
    if (signal.aborted) noteLine(terminal, '\nAnswered on the page, or withdrawn.');
    const answer = line === undefined ? 'no' : readRefundAnswer(line);
    if (answer === undefined && !lines.isTyped) {
      if (line !== undefined) lines.putBack(line);
      noteLine(terminal, 'That is no answer, so this is a no. --yes allows everything.');
      return deny('There was no answer.');
    }
    if (answer === 'edit') question = 'Which amount, in EUR? ';
    else if (answer === 'yes') return allow();
    else if (answer === 'no') return deny('The user said no.');
    else if (answer !== undefined) return allow({ input: { ...input, amount: answer.amount } });
    else noteLine(terminal, style('dim', WHAT_IS_READ));
  }
}
