// A simulated world: one virtual time, hosts that can die, freeze and be cut off, and one event after another in an order that a seed
// decides. Between two events all microtasks run.
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { createChance, type Chance } from '../../official/chance.js';
import { BEGIN } from './begin.js';
import { EventQueue, type QueuedEvent } from './event-queue.js';

/** A simulated machine with its processes, or one CLI on it. */
export interface Host {
  readonly name: string;
  readonly chance: Chance;
  isDead: boolean;
  /** Nothing of it runs before this time. */
  frozenUntil: number;
  frozenSince: number;
  /** When it was stopped, and until when; a dead one goes on never. */
  readonly stops: { from: number; until: number }[];
  /** Nothing it sends to the journal arrives before this time, nor what the journal sends. */
  cutOffUntil: number;
  /** Until this time no file of it can grow. */
  diskFullUntil: number;
  /** How far its clock is ahead. */
  skewMs: number;
  /** What an error that nobody caught does to it. Without this, it is reported. */
  crash?: (error: unknown) => void;
  /** Called once when it dies. */
  onDeath?: () => void;
  /** What a signal does to it, if it is a process that may be sent one. */
  signal?: (name: string) => void;
}

/** Something that will happen, to one host or to the world itself. */
export interface WorldEvent extends QueuedEvent {
  readonly what: string;
  readonly host: Host | undefined;
  run: (() => void) | undefined;
}

/** How long a thing may take, in milliseconds: mostly little, sometimes more. */
export interface Delay {
  usual: number;
  rare: number;
}

const drain = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

export class World {
  readonly seed: number;
  readonly hosts = new Map<string, Host>();
  /** What went wrong of itself: errors that nobody caught. */
  readonly uncaught: string[] = [];
  readonly log: string[] = [];
  /** Milliseconds since it began. */
  now = 0;
  steps = 0;
  readonly #queue = new EventQueue<WorldEvent>();
  readonly #current = new AsyncLocalStorage<Host>();
  #order = 0;

  /** Called with each line of the log, as the host that it is about. */
  onNote: ((line: string) => void) | undefined;

  constructor(seed: number) {
    this.seed = seed;
  }

  /** Chance of its own for each use, so that one that is asked less changes nothing for others. */
  chanceFor(use: string): Chance {
    const digest = createHash('sha256').update(`${this.seed} ${use}`).digest();
    return createChance(digest.readInt32LE(0));
  }

  /** The time of day, as the journal has it. */
  get date(): number {
    return BEGIN + Math.floor(this.now);
  }

  addHost(name: string): Host {
    const host: Host = {
      name,
      chance: this.chanceFor(`host ${name}`),
      isDead: false,
      frozenUntil: 0,
      frozenSince: 0,
      stops: [],
      cutOffUntil: 0,
      diskFullUntil: 0,
      skewMs: 0,
    };
    this.hosts.set(name, host);
    return host;
  }

  /** From now on nothing of this host runs. */
  bury(host: Host): void {
    if (host.isDead) return;
    host.isDead = true;
    host.stops.push({ from: this.now, until: Infinity });
    this.on(undefined, () => host.onDeath?.());
  }

  get host(): Host | undefined {
    return this.#current.getStore();
  }

  /** Runs as this host; what it begins belongs to it. */
  on<T>(host: Host | undefined, run: () => T): T {
    return host ? this.#current.run(host, run) : this.#current.exit(run);
  }

  /** Begins something as a host that does not wait for it. */
  begin(host: Host, what: string, run: () => Promise<unknown>): void {
    this.after(0, what, () => void run().catch((error: unknown) => this.noteUncaught(error)), host);
  }

  after(ms: number, what: string, run: () => void, host = this.host): WorldEvent {
    // What the code keeps in its own storages goes along.
    const resource = this.on(host, () => new AsyncResource('simulated'));
    const event: WorldEvent = {
      at: this.now + Math.max(0, ms),
      order: (this.#order += 1),
      what,
      host,
      run: () => resource.runInAsyncScope(run),
    };
    // A dead host begins nothing any more.
    if (!host?.isDead) this.#queue.add(event);
    return event;
  }

  /** What a delay is this time, by the chance of a host. */
  draw({ usual, rare }: Delay, chance = this.host?.chance): number {
    if (!chance) return usual;
    return chance.next() < 0.05 ? chance.next() * rare : chance.next() * usual;
  }

  note(line: string): void {
    const whole = `${this.now.toFixed(3)} ${this.host?.name ?? '-'} ${line}`;
    this.log.push(whole);
    this.onNote?.(line);
  }

  noteUncaught(error: unknown): void {
    const { host } = this;
    if (host?.isDead) return;
    if (host?.crash) return host.crash(error);
    const text = String((error as { stack?: unknown } | undefined)?.stack ?? error);
    this.uncaught.push(`${this.host?.name ?? 'nobody'}: ${text}`);
  }

  /** Nothing happens in it any more. */
  end(): void {
    this.#current.disable();
  }

  digest(): string {
    const hash = createHash('sha256');
    for (const line of this.log) hash.update(line);
    return hash.digest('hex').slice(0, 16);
  }

  /** Lets things happen until something is so, or nothing is left, or the time is over. Whether it is so. */
  async runUntil(isSo: () => boolean, limitMs: number): Promise<boolean> {
    const end = this.now + limitMs;
    await drain();
    while (!isSo()) {
      const event = this.#queue.take();
      if (!event) return false;
      if (!event.run) continue;
      if (event.at > end) {
        this.#queue.add(event);
        this.now = end;
        return false;
      }
      const host = event.host;
      if (host?.isDead) continue;
      if (host && host.frozenUntil > event.at) {
        // What was due goes on in the order in which it was due.
        event.at = host.frozenUntil + (event.at - host.frozenSince) * 1e-6;
        this.#queue.add(event);
        continue;
      }
      this.now = Math.max(this.now, event.at);
      this.steps += 1;
      this.on(host, () => this.note(event.what));
      // A fault that this moment was waiting for.
      if (host?.isDead || (host && host.frozenUntil > this.now)) {
        this.#queue.add(event);
        continue;
      }
      const { run } = event;
      // It cannot be taken back any more.
      event.run = undefined;
      this.on(host, () => {
        try {
          run();
        } catch (error) {
          this.noteUncaught(error);
        }
      });
      await drain();
    }
    return true;
  }
}
