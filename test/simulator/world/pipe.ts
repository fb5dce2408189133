// One direction between a host and a CLI of it: what is written arrives in order, when the world says so, and at once what comes at once.
import type { Delay, Host, World } from './world.js';

/** How far sums of times may be off. */
const ROUNDING_MS = 1e-6;
const SPEED: Delay = { usual: 1, rare: 40 };

export class Pipe<Item> {
  readonly #world: World;
  readonly #to: Host | undefined;
  readonly #what: string;
  readonly #take: (item: Item) => void;
  readonly #items: { at: number; item: Item }[] = [];
  #lastAt = 0;

  constructor(world: World, what: string, to: Host | undefined, take: (item: Item) => void) {
    this.#world = world;
    this.#what = what;
    this.#to = to;
    this.#take = take;
  }

  put(item: Item): void {
    const world = this.#world;
    this.#lastAt = Math.max(this.#lastAt, world.now + world.draw(SPEED));
    this.#items.push({ at: this.#lastAt, item });
    // Whatever has waited is delivered in its order, also when its host was frozen meanwhile. Nothing runs between two lines of one
    // chunk.
    const deliver = (): void => {
      while ((this.#items[0]?.at ?? Infinity) <= world.now + ROUNDING_MS)
        this.#take(this.#items.shift()?.item as Item);
    };
    world.on(this.#to, () => world.after(this.#lastAt - world.now, this.#what, deliver));
  }

  close(): void {
    this.#items.length = 0;
  }
}
