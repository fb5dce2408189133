// The words that the model of `inboard play` knows. A word that is typed wrong stands for the nearest one that is known.
import { findNearestName } from '@inboard/core/util/nearest-name.js';
import { CUSTOMER_ORDERS } from './shop.js';

/** What a word is about. */
export type Topic =
  | 'articles'
  | 'buy'
  | 'crash'
  | 'export'
  | 'get'
  | 'greeting'
  | 'have'
  | 'help'
  | 'memory'
  | 'order'
  | 'price'
  | 'refund'
  | 'resume'
  | 'stock'
  | 'thanks'
  | 'whole';

const TOPICS: Readonly<Record<Topic, string>> = {
  articles:
    'article articles assortment browse catalog catalogue everything goods item items list menu offer product products range search sell selling sells shelf shelves shop show store stuff',
  buy: 'add buy purchase reserve',
  crash: 'abort crash explode kill segfault sigkill',
  export: 'backup csv download dump export report spreadsheet',
  get: 'get need take want',
  greeting: 'hello hey hi howdy moin morning evening greetings',
  have: 'got have has having',
  help: 'command commands example examples help how instructions menu options tutorial usage',
  memory: 'ago ask asked before conversation earlier history memory recall remember said',
  order:
    'arrive arrived bought deliver delivered delivery order ordered orders package parcel parcels sent ship shipped shipment shipping status track tracking where',
  price: 'cheap cheapest cost costs euro euros expensive price priced prices pricey',
  refund: 'compensate moneyback refund refunded refunds reimburse repay return',
  resume: 'back continue recover restart resume resurrect revive',
  stock: 'amount available count inventory left many number quantity remain remaining stock stocked supply',
  thanks: 'cheers great nice perfect thank thanks thx',
  whole: 'all complete completely entire full fully total whole',
};

/** The words for each article, by the name that the shop has for it. */
const ARTICLE_WORDS: Readonly<Record<string, string>> = {
  apples: 'apple apples',
  pears: 'pear pears',
  carrots: 'carrot carrots',
  'loaves of bread': 'baguette bread breads loaf loaves',
  'jars of honey': 'honey honeys',
  'bags of coffee': 'coffee coffees espresso',
};

/** Words that are near to a known one and mean something else, or nothing here. */
const OTHER_WORDS = [
  'a about an and any apply are bad bank be bear beef beer bill bold but can cash cast cheese clash',
  'code could court crashed crush did do does each eat else every expert fill for from give good had he',
  'head hear heard her here hill him his hour i if in is it its just kilo less like long look make',
  'maple me milk more most much must my near no not now of older on or our out over own paid pair pairs',
  'pay peas people please rice see she shell shoe shot should sick skill sock sold some stick stop such',
  'sure tank tell than that the their them then there these they thin thing think this those till to',
  'too trash under us very was wash way we were what when which who why will with work world would year',
  'years yes you your yours',
];

const NUMBER_WORDS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );

const topics = new Map<string, Topic>();
for (const [topic, words] of Object.entries(TOPICS) as [Topic, string][])
  for (const word of words.split(' ')) if (!topics.has(word)) topics.set(word, topic);
const articles = new Map<string, string>();
for (const [article, words] of Object.entries(ARTICLE_WORDS))
  for (const word of words.split(' ')) articles.set(word, article);
const known = new Set([
  ...topics.keys(),
  ...articles.keys(),
  ...CUSTOMER_ORDERS.keys(),
  ...OTHER_WORDS.flatMap((line) => line.split(' ')),
  ...NUMBER_WORDS,
]);

/** Shorter words are taken as they are: nearly every short word is one letter away from another. */
const SHORTEST_TYPO = 4;
const MOST_TYPOS = 2;

/** The word that was meant. */
export function correctWord(word: string): string {
  if (known.has(word) || word.length < SHORTEST_TYPO) return word;
  return findNearestName(word, known, MOST_TYPOS) ?? word;
}

export function topicOf(word: string): Topic | undefined {
  return topics.get(word);
}

/** The article that a word names, as the shop calls it. */
export function articleOf(word: string): string | undefined {
  return articles.get(word);
}

/** The order of the customer that a word names. */
export function customerOrderOf(word: string): number | undefined {
  return CUSTOMER_ORDERS.get(word);
}

/** The number that a word says, as in `twelve` or `12.50`. */
export function numberIn(word: string): number | undefined {
  if (word === 'dozen') return 12;
  const spelled = NUMBER_WORDS.indexOf(word);
  if (spelled !== -1) return spelled;
  return /^\d/.test(word) ? Number(word.replace(',', '.')) : undefined;
}
