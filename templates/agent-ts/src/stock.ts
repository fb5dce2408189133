// What the program knows: how many of each article are left, and who has reserved some. It lives in this process, and the
// tools share it with the rest of your code. Replace it with your database, cache or queue.

export class Stock {
  readonly #counts: Map<string, number>;
  readonly reservations: Reservation[] = [];

  constructor(counts: Record<string, number>) {
    this.#counts = new Map(Object.entries(counts));
  }

  count(article: string): number {
    const count = this.#counts.get(article);
    if (count !== undefined) return count;
    throw new Error(
      `There is no article "${article}". The articles are: ${[...this.#counts.keys()].join(', ')}.`,
    );
  }

  /** Returns how many are left afterwards. */
  reserve(reservation: Reservation): number {
    const { article, count } = reservation;
    const left = this.count(article) - count;
    if (left < 0) throw new Error(`Only ${this.count(article)} ${article} are left.`);
    this.#counts.set(article, left);
    this.reservations.push(reservation);
    return left;
  }
}

/** Articles set aside for somebody. */
export interface Reservation {
  article: string;
  count: number;
  customer: string;
}
