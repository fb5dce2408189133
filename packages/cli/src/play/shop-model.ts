// The model of `inboard play`: a script that reads questions, calls the tools of the shop, and says what they returned. It
// has no state, so its answers depend on the messages of the request alone.
import { reply, text, toolUse, type MessageReply, type ModelContext } from '@inboard/inboard/testing.js';
import { readQuestion, type Wish } from './read-question.js';
import { readTurn, type FinishedCall } from './read-turn.js';
import { formatCents, toCents } from './shop.js';
import { describeResults, HELP, quoteQuestions } from './shop-phrases.js';
import { SHOP_TOOLS } from './shop-tools.js';

/** Answers one request. A text is streamed in words, with this many milliseconds between them. */
export function answerAsShop({ messages }: Pick<ModelContext, 'messages'>, wordMs = 0): MessageReply {
  const { questions, calls } = readTurn(messages);
  const earlier = questions.slice(0, -1);
  const wish = readQuestion(questions.at(-1) ?? '', earlier);
  const next = calls.length === 0 ? beginTurn(wish, earlier) : continueTurn({ wish, calls, earlier });
  return typeof next === 'string' ? { ...text(next.split(/(?<= )/)), eventDelayMs: wordMs } : next;
}

/** The first answer to a question: a text, or calls. */
function beginTurn(wish: Wish, earlier: readonly string[]): string | MessageReply {
  switch (wish.kind) {
    case 'articles':
      return toolUse(SHOP_TOOLS.search);
    case 'stock':
    case 'price':
      return reply(...wish.articles.map((article) => toolUse(SHOP_TOOLS.stock, { article })));
    case 'orders':
      return toolUse(SHOP_TOOLS.orders);
    case 'order':
      return toolUse(SHOP_TOOLS.status, { order: wish.order });
    case 'buy':
      if (wish.article === undefined) return 'Which article, and how many? Ask for example: buy 3 apples.';
      return toolUse(SHOP_TOOLS.buy, { article: wish.article, count: wish.count });
    case 'refund':
      if (wish.order === undefined) return 'Which order? Ask for example: refund order 1042.';
      // Without an amount, the order has to be looked up first.
      return wish.amount === undefined
        ? toolUse(SHOP_TOOLS.status, { order: wish.order })
        : toolUse(SHOP_TOOLS.refund, { order: wish.order, amount: wish.amount });
    case 'export':
      return toolUse(SHOP_TOOLS.export);
    case 'crash':
      return toolUse(SHOP_TOOLS.export, { crash: true });
    case 'resume':
      return 'Nothing is cut off: the CLI runs. Type crash first, and then resume.';
    case 'memory':
      return earlier.length === 0
        ? 'You have asked nothing yet.'
        : `Before this, you asked: ${quoteQuestions(earlier)}.`;
    case 'greeting':
      return `Hello! ${HELP}`;
    case 'thanks':
      return 'You are welcome.';
    case 'help':
      return HELP;
    default:
      return `I am a script, and did not understand that. ${HELP}`;
  }
}

interface TurnSoFar {
  wish: Wish;
  calls: readonly FinishedCall[];
  earlier: readonly string[];
}

/** The answer after calls: one more call, or a text. */
function continueTurn({ wish, calls, earlier }: TurnSoFar): string | MessageReply {
  const last = calls.at(-1);
  if (wish.kind === 'refund' && last?.name === SHOP_TOOLS.status && !last.isError) {
    const { order, total, refunded } = last.value;
    const left = toCents(Number(total)) - toCents(Number(refunded));
    if (left > 0) return toolUse(SHOP_TOOLS.refund, { order, amount: left / 100 });
    return `Order ${String(order)} has been paid back already, all ${formatCents(toCents(Number(total)))} of it.`;
  }
  const said = describeResults(wish, calls);
  if (wish.kind !== 'crash' || earlier.length === 0) return said;
  return `${said} And I still know what you asked before: ${quoteQuestions(earlier)}.`;
}
