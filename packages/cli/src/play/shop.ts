// The shop that `inboard play` runs: its articles and orders, in the memory of this process. Amounts are whole cents.

export interface Article {
  name: string;
  /** One of it, where the name is a plural. */
  one: string;
  cents: number;
  stock: number;
}

export interface ShopOrder {
  number: number;
  customer: string;
  items: string;
  cents: number;
  refundedCents: number;
  where: string;
}

/** The articles and orders that the shop opens with. */
const FIRST_ARTICLES: readonly Article[] = [
  { name: 'apples', one: 'apple', cents: 40, stock: 7 },
  { name: 'pears', one: 'pear', cents: 55, stock: 12 },
  { name: 'carrots', one: 'carrot', cents: 15, stock: 25 },
  { name: 'loaves of bread', one: 'loaf of bread', cents: 380, stock: 4 },
  { name: 'jars of honey', one: 'jar of honey', cents: 650, stock: 3 },
  { name: 'bags of coffee', one: 'bag of coffee', cents: 900, stock: 9 },
];
const FIRST_ORDERS: readonly ShopOrder[] = [
  order(1041, 'Ada', { items: '5 apples, 2 loaves of bread', cents: 960, where: 'delivered on Monday' }),
  order(1042, 'Grace', { items: '4 bags of coffee, 10 apples', cents: 4000, where: 'on its way' }),
  order(1043, 'Edsger', { items: '2 jars of honey', cents: 1300, where: 'being packed' }),
  order(1044, 'Barbara', { items: '20 carrots', cents: 300, where: 'delivered today' }),
];

function order(
  number: number,
  customer: string,
  rest: Pick<ShopOrder, 'items' | 'cents' | 'where'>,
): ShopOrder {
  return { number, customer, refundedCents: 0, ...rest };
}

/** The names by which the shop knows its articles. */
const ARTICLE_NAMES: readonly string[] = FIRST_ARTICLES.map(({ name }) => name);
/** The order of each customer, by the customer's name. */
export const CUSTOMER_ORDERS: ReadonlyMap<string, number> = new Map(
  FIRST_ORDERS.map(({ customer, number }) => [customer.toLowerCase(), number]),
);

/** One shop. Its methods throw an Error, whose message the model reads, for what the shop cannot do. */
export class Shop {
  readonly articles: readonly Article[] = FIRST_ARTICLES.map((article) => ({ ...article }));
  readonly orders: ShopOrder[] = FIRST_ORDERS.map((each) => ({ ...each }));

  article(name: string): Article {
    const found = this.articles.find((article) => article.name === name || article.one === name);
    if (found) return found;
    throw new Error(`There is no article "${name}". The shop has ${ARTICLE_NAMES.join(', ')}.`);
  }

  order(number: number): ShopOrder {
    const found = this.orders.find((each) => each.number === number);
    if (found) return found;
    const numbers = this.orders.map((each) => each.number).join(', ');
    throw new Error(`There is no order ${number}. The orders are ${numbers}.`);
  }

  /** Takes articles out of the stock and makes an order of them. */
  buy(name: string, count: number): ShopOrder {
    const article = this.article(name);
    if (count < 1) throw new Error('An order needs at least one of an article.');
    if (count > article.stock) throw new Error(`Only ${article.stock} ${article.name} are left.`);
    article.stock -= count;
    const placed = order(Math.max(...this.orders.map(({ number }) => number)) + 1, 'you', {
      items: `${count} ${count === 1 ? article.one : article.name}`,
      cents: count * article.cents,
      where: 'being packed',
    });
    this.orders.push(placed);
    return placed;
  }

  /** Pays a part of an order back. */
  refund(number: number, cents: number): ShopOrder {
    const found = this.order(number);
    const left = found.cents - found.refundedCents;
    if (cents <= 0) throw new Error('The amount must be more than 0.');
    if (cents > left) throw new Error(`Only ${formatCents(left)} of order ${number} can still be paid back.`);
    found.refundedCents += cents;
    return found;
  }
}

/** An amount as people read it. */
export function formatCents(cents: number): string {
  return `${(cents / 100).toFixed(2)} EUR`;
}

/** An amount in EUR, as tools and people give it, in cents. */
export function toCents(amount: number): number {
  return Math.round(amount * 100);
}
