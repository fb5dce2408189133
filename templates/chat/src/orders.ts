// What the program knows: orders, and what was paid back. Replace it with your database.

export interface Order {
  order: string;
  customer: string;
  cents: number;
  paidBack: number;
}

export class Orders {
  readonly #orders: Map<string, Order>;

  constructor(orders: readonly Omit<Order, 'paidBack'>[]) {
    this.#orders = new Map(orders.map((order) => [order.order, { ...order, paidBack: 0 }]));
  }

  async find(order: string): Promise<Order> {
    const found = this.#orders.get(order);
    if (!found) throw new Error(`There is no order ${order}.`);
    return found;
  }

  async payBack(order: string, cents: number): Promise<void> {
    const found = await this.find(order);
    const left = found.cents - found.paidBack;
    if (cents > left) throw new Error(`At most ${left} cents of order ${order} can be paid back.`);
    found.paidBack += cents;
  }
}
