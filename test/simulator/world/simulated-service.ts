// What a host sees of a service that all hosts share, as a journal: each call takes its way there and back, may be lost with the line
// that is cut, or fail; what the service calls back arrives at the host when the world says so, sometimes twice.
import type { Delay, Host, World } from './world.js';

/** How a service behaves while faults go on. */
export interface ServiceFaults {
  /** How often a call fails before it was done, and after. */
  failures: number;
  delay: Delay;
  /** How often a notice comes twice, and how often it does not come. */
  doubled: number;
  lost: number;
}

export const CALM: ServiceFaults = { failures: 0, delay: { usual: 3, rare: 40 }, doubled: 0, lost: 0 };

/** How long a call to a service that cannot be reached takes to fail. */
const GIVES_UP: Delay = { usual: 400, rare: 4000 };

/** How late a notice may come that is told again. */
const LATE: Delay = { usual: 3000, rare: 10_000 };

type Held = AsyncDisposable & { pause?: () => unknown };

const KINDS = ['inbox', 'stop', 'answer', 'question', 'events', 'ended'];

export class SimulatedService {
  readonly #world: World;
  readonly #name: string;
  /** The service runs by itself: it is not the host that called it. */
  readonly host: Host;
  readonly #createError: () => Error;
  faults: ServiceFaults = CALM;
  /** What listens, by its host: it is told once its line is whole again. */
  readonly #listeners: { host: Host; tell: (change: object) => void }[] = [];
  /** What hosts have of the service until they die. */
  readonly #held: { host: Host; object: Held }[] = [];
  /** Whose next answer is lost on its way, and to which call; any, if none is named. */
  readonly #lost = new Map<Host, string | undefined>();

  constructor(world: World, name: string, createError: () => Error) {
    this.#world = world;
    this.#name = name;
    this.#createError = createError;
    this.host = world.addHost(name);
  }

  /** The service as this host sees it. `sync` names what gives its answer at once: an object that is seen in the same way. */
  seenFrom<Service extends object>(host: Host, target: Service, sync: readonly string[] = []): Service {
    return new Proxy(target, {
      get: (object, name) => {
        const value: unknown = Reflect.get(object, name);
        if (typeof value !== 'function' || typeof name !== 'string') return value;
        // It goes on for the others.
        if (name === 'close' && sync.length > 0) return () => Promise.resolve(this.bury(host));
        if (sync.includes(name))
          return (...given: unknown[]) =>
            this.seenFrom(host, value.apply(object, given) as object, ['calls']);
        return (...given: unknown[]) =>
          this.#call(
            host,
            name,
            () =>
              value.apply(
                object,
                given.map((each) =>
                  typeof each === 'function' ? this.#notice(host, name, each as () => unknown) : each,
                ),
              ) as unknown,
          );
      },
    });
  }

  /** The line of a host is whole again: what it has missed is not told, but that something may have changed. */
  heal(host: Host): void {
    for (const listener of this.#listeners)
      if (listener.host === host && !host.isDead)
        for (const kind of KINDS)
          this.#world.on(host, () =>
            this.#world.after(
              this.#world.draw(this.faults.delay, this.host.chance),
              `${this.#name} is back`,
              () => listener.tell({ kind }),
            ),
          );
  }

  /** The next answer to a host is lost, or that to the named call: what was asked for is done, and it hears an error. */
  loseAnswer(host: Host, call?: string): void {
    this.#lost.set(host, call);
  }

  /** A dead host takes nothing more. */
  bury(host: Host): void {
    for (const each of this.#held)
      if (each.host === host)
        this.#world.on(
          this.host,
          () => void (each.object.pause ?? each.object[Symbol.asyncDispose]).call(each.object),
        );
  }

  #call(host: Host, name: string, run: () => unknown): Promise<unknown> {
    const world = this.#world;
    const { failures, delay } = this.faults;
    const { chance } = this.host;
    const what = `${this.#name} ${name}`;
    return new Promise((resolve, reject) => {
      const back = (settle: () => void, ms: number, how: string): void =>
        void world.on(host, () => world.after(ms, `${what} ${how}`, settle));
      const fail = (how: string): void =>
        back(() => reject(this.#createError()), world.draw(GIVES_UP, chance), how);
      if (host.cutOffUntil > world.now) return fail('is out of reach');
      if (chance.next() < failures / 2) return fail('fails');
      world.on(this.host, () =>
        world.after(world.draw(delay, chance), `${what} of ${host.name}`, () => {
          // What a host sent before it died may still arrive.
          if (host.isDead && chance.next() < 0.5) return;
          if (host.cutOffUntil > world.now && chance.next() < 0.5) return fail('was lost');
          void Promise.resolve()
            .then(run)
            .then(
              (value) => {
                world.note(`${what} = ${digestOf(value)}`);
                const isSeen = value !== null && typeof value === 'object' && Symbol.asyncDispose in value;
                if (isSeen) this.#held.push({ host, object: value as Held });
                if (isSeen && host.isDead) this.bury(host);
                if (host.cutOffUntil > world.now || chance.next() < failures / 2)
                  return fail('was done, unheard');
                const arrive = (): void => {
                  // The line may have been cut while the answer was under way.
                  if (host.cutOffUntil > world.now || this.#isLost(host, name)) reject(this.#createError());
                  else resolve(isSeen ? this.seenFrom(host, value) : value);
                };
                back(arrive, world.draw(delay, chance), 'answers');
              },
              (error: unknown) => {
                world.note(`${what} ! ${String((error as { code?: unknown }).code)}`);
                if (host.cutOffUntil > world.now) return fail('was refused, unheard');
                back(() => reject(error), world.draw(delay, chance), 'refuses');
              },
            );
        }),
      );
    });
  }

  #isLost(host: Host, call: string): boolean {
    if (!this.#lost.has(host)) return false;
    const named = this.#lost.get(host);
    if (named !== undefined && named !== call) return false;
    this.#lost.delete(host);
    return true;
  }

  /** A callback that is called as its host. What it gives is given to the service. */
  #notice(host: Host, name: string, callback: (...given: unknown[]) => unknown) {
    const world = this.#world;
    const { chance } = this.host;
    if (name === 'listen') this.#listeners.push({ host, tell: callback });
    return (...given: unknown[]): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const { lost, doubled, delay } = this.faults;
        if (host.isDead || host.cutOffUntil > world.now || chance.next() < lost) return resolve(undefined);
        const times = chance.next() < doubled ? 2 : 1;
        for (let time = 0; time < times; time += 1)
          world.on(host, () =>
            world.after(world.draw(time === 0 ? delay : LATE, chance), `${this.#name} tells`, () => {
              // The line may have been cut while the notice was under way.
              if (host.cutOffUntil > world.now) return resolve(undefined);
              const done = callback(...given);
              void Promise.resolve(done).then(
                (value) =>
                  void world.on(this.host, () =>
                    world.after(0, `${this.#name} is told`, () => resolve(value)),
                  ),
                (error: unknown) =>
                  void world.on(this.host, () =>
                    world.after(0, `${this.#name} is told`, () => reject(error)),
                  ),
              );
            }),
          );
      });
  }
}

/** More of a long answer is what was there before. */
const MOST_CHARACTERS = 400;

function digestOf(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  let hash = text.length;
  for (let at = 0; at < Math.min(text.length, MOST_CHARACTERS); at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16);
}
