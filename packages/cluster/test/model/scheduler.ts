// Runs actors one step at a time, in an order that a seed decides: each stops before and after every call of the journal, so
// that anything can happen between the call, its commit, and the moment its caller knows of it.
import type { Chance } from '../../../../test/official/chance.js';

/** Thrown into an actor that is killed: nothing of it runs after that. */
class Killed extends Error {}

/** What an actor does, from its start to its end. */
export type Play = (actor: Actor) => Promise<void>;

/** One coroutine of the run. */
export class Actor {
  readonly name: string;
  isOver = false;
  isKilled = false;
  /** Not run before this time. */
  asleepUntil = 0;
  fault: unknown;
  #goOn: (() => void) | undefined;
  #arrived: (() => void) | undefined;

  constructor(name: string) {
    this.name = name;
  }

  /** Stops here until the scheduler lets it go on. */
  async pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#goOn = resolve;
      this.#arrived?.();
    });
    if (this.isKilled) throw new Killed();
  }

  /** Runs until the first stop. */
  async begin(play: Play): Promise<void> {
    await this.#untilStop(() => {
      const end = (fault?: unknown): void => {
        this.isOver = true;
        if (!(fault instanceof Killed)) this.fault = fault;
        this.#arrived?.();
      };
      play(this).then(() => end(), end);
    });
  }

  /** Runs until the next stop. */
  async step(): Promise<void> {
    await this.#untilStop(() => this.#goOn?.());
  }

  async #untilStop(go: () => void): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#arrived = resolve;
      go();
    });
  }
}

/** What a run does next: lets one of the actors that are awake go on. */
export async function stepOne(actors: readonly Actor[], now: number, chance: Chance): Promise<boolean> {
  const awake = actors.filter((actor) => !actor.isOver && actor.asleepUntil <= now);
  if (awake.length === 0) return false;
  const actor = chance.pick(awake);
  await actor.step();
  if (actor.fault) throw actor.fault;
  return true;
}
