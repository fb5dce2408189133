// Reads a freely typed English question: finds the known words in it, whatever their order, and decides what is wanted. The
// same question is always read in the same way.
import { articleOf, correctWord, customerOrderOf, numberIn, topicOf, type Topic } from './vocabulary.js';

/** What a question asks for. */
export type Wish =
  | {
      kind: 'articles' | 'crash' | 'export' | 'greeting' | 'help' | 'memory' | 'orders' | 'resume' | 'thanks';
    }
  | { kind: 'unknown' }
  | { kind: 'stock' | 'price'; articles: readonly string[] }
  | { kind: 'order'; order: number }
  /** Without an order, the model has to ask for it. Without an amount, all that is left is meant. */
  | { kind: 'refund'; order: number | undefined; amount: number | undefined }
  | { kind: 'buy'; article: string | undefined; count: number };

/** What was found in a question. */
interface Findings {
  topics: ReadonlySet<Topic>;
  words: ReadonlySet<string>;
  articles: readonly string[];
  order: number | undefined;
  /** The first number that is not the number of an order. */
  number: number | undefined;
}

/** The number of an order has at least four digits, and no other number that is asked for has as many. */
const LEAST_ORDER = 1000;
const WORD = /\p{L}+|\d+(?:[.,]\d+)?/gu;
/** What follows in a longer text is not read. */
const MOST_WORDS = 60;
const MOST_CHARACTERS = 600;

/** Reads a question. The questions before it, oldest first, say what "it" and "them" stand for. */
export function readQuestion(text: string, earlier: readonly string[] = []): Wish {
  const found = search(text);
  const { topics, words, number } = found;
  const has = (...wanted: readonly Topic[]): boolean => wanted.some((topic) => topics.has(topic));
  const says = (...wanted: readonly string[]): boolean => wanted.every((word) => words.has(word));
  const isShort = words.size <= 3;

  const order = found.order ?? (refersBack(words) ? findLast(earlier, (each) => each.order) : undefined);
  const articles =
    found.articles.length > 0 || !refersBack(words)
      ? found.articles
      : [findLast(earlier, (each) => each.articles.at(-1))].filter((article) => article !== undefined);

  if (has('crash')) return { kind: 'crash' };
  if (has('refund') || says('money', 'back') || says('pay', 'back') || says('give', 'back'))
    return { kind: 'refund', order, amount: has('whole') ? undefined : number };
  if (has('export')) return { kind: 'export' };
  if (says('go', 'on') || says('carry', 'on') || (has('resume') && isShort)) return { kind: 'resume' };
  if (isAboutMemory(found)) return { kind: 'memory' };
  const wantsSome = number !== undefined && has('get', 'order', 'have') && !says('where');
  if (found.order === undefined && (has('buy') || (wantsSome && articles.length > 0)))
    return { kind: 'buy', article: articles[0], count: number ?? 1 };
  if (found.order !== undefined) return { kind: 'order', order: found.order };
  if (articles.length > 0) return { kind: asksPrice(found) ? 'price' : 'stock', articles };
  if (has('order')) return order === undefined ? { kind: 'orders' } : { kind: 'order', order };
  if ((says('what') && isAboutNow(words)) || says('how', 'work')) return { kind: 'help' };
  if (has('articles', 'price', 'stock') || (has('have') && (says('what') || says('you'))))
    return { kind: 'articles' };
  if (has('help') || /^[\s?]*$/.test(text)) return { kind: 'help' };
  if (has('greeting') || says('good', 'day')) return { kind: 'greeting' };
  return has('thanks') ? { kind: 'thanks' } : { kind: 'unknown' };
}

function search(text: string): Findings {
  const plain = text.slice(0, MOST_CHARACTERS).toLowerCase().replaceAll(/['’]/g, '');
  const words = (plain.match(WORD) ?? []).slice(0, MOST_WORDS).map(correctWord);
  const numbers = words.map(numberIn).filter((each) => each !== undefined);
  const isOrder = (each: number): boolean => Number.isInteger(each) && each >= LEAST_ORDER;
  // "Grace's" has lost its apostrophe.
  const owners = words.map((word) => customerOrderOf(word) ?? customerOrderOf(word.replace(/s$/, '')));
  return {
    topics: new Set(words.map(topicOf).filter((topic) => topic !== undefined)),
    words: new Set(words),
    articles: [...new Set(words.map(articleOf).filter((article) => article !== undefined))],
    order: numbers.find(isOrder) ?? owners.find((each) => each !== undefined),
    number: numbers.find((each) => !isOrder(each)),
  };
}

function refersBack(words: ReadonlySet<string>): boolean {
  return ['it', 'its', 'that', 'them', 'they', 'this', 'those', 'these', 'same'].some((word) =>
    words.has(word),
  );
}

function findLast<T>(earlier: readonly string[], choose: (found: Findings) => T | undefined): T | undefined {
  return earlier
    .toReversed()
    .map((text) => choose(search(text)))
    .find((found) => found !== undefined);
}

function isAboutMemory({ topics, words }: Findings): boolean {
  if (['memory', 'recall', 'remember', 'history'].some((word) => words.has(word))) return true;
  return (
    topics.has('memory') && (words.has('i') || words.has('we')) && words.has('what') && !isAboutNow(words)
  );
}

/** "What can I ask?" wants help; "what did I ask?" is about the past. */
function isAboutNow(words: ReadonlySet<string>): boolean {
  return ['can', 'could', 'may', 'should'].some((word) => words.has(word));
}

function asksPrice({ topics, words }: Findings): boolean {
  if (topics.has('price')) return true;
  const isCount = topics.has('stock') || topics.has('have') || words.has('there');
  return words.has('how') && words.has('much') && !isCount;
}
