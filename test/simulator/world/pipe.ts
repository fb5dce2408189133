// One direction between a host and a CLI of it: what is written arrives in order, each when the world says so.
import type { Delay, Host, World } from './world.js';

const SPEED: Delay = { usual: 1, rare: 40 };

export class Pipe<Item> {
  readonly #world: World;
  readonly #to: Host | undefined;
  readonly #what: string;
  readonly #take: (item: Item) => void;
  readonly #items: Item[] = [];
  #lastAt = 0;

  constructor(world: World, what: string, to: Host | undefined, take: (item: Item) => void) {
    this.#world = world;
    this.#what = what;
    this.#to = to;
    this.#take = take;
  }

  put(item: Item): void {
    const world = this.#world;
    this.#items.push(item);
    this.#lastAt = Math.max(this.#lastAt, world.now + world.draw(SPEED));
    // Whatever has waited is delivered in its order, also when its host was frozen meanwhile.
    const deliver = (): void => {
      if (this.#items.length > 0) this.#take(this.#items.shift() as Item);
    };
    world.on(this.#to, () => world.after(this.#lastAt - world.now, this.#what, deliver));
  }

  close(): void {
    this.#items.length = 0;
  }
}
