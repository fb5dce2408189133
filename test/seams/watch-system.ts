// Watches what a program asks of the system: the parts of core/util/system are replaced by ones that note who uses them, and so are the
// originals, which the guarded files must not touch.
import { AsyncLocalStorage } from 'node:async_hooks';
import childProcess from 'node:child_process';
import nodeCrypto from 'node:crypto';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { relative, sep } from 'node:path';
import timersPromises from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../packages/core/src/util/system/clock.js';
import type { Disk } from '../../packages/core/src/util/system/disk.js';
import type { Processes } from '../../packages/core/src/util/system/processes.js';
import type { Randomness, RandomUuid } from '../../packages/core/src/util/system/randomness.js';
import { replaceSystem } from '../../packages/core/src/util/system/replace-system.js';
import { PROJECT_ROOT } from '../package/project.js';

/** Somebody asked. */
export interface Use {
  /** As `clock.setTimeout` or `fs.openSync`. */
  readonly what: string;
  /** Whose code asked, by its path in the project. */
  readonly file: string;
  /** The simulated host it belongs to. */
  readonly host: string | undefined;
}

/** Where the time of the replaced clock begins: nothing real is so old. */
export const BEGIN = Date.UTC(2001, 0, 1);

type Call = (...given: unknown[]) => unknown;
type Owner = Record<string, unknown>;

const TIMERS = ['Timeout', 'Interval', 'Immediate'].flatMap((kind) => [`set${kind}`, `clear${kind}`]);
const OWN_FILE = fileURLToPath(import.meta.url);
const hosts = new AsyncLocalStorage<string>();

/** Replaces both until the end; one at a time in a process. */
export class SystemWatch implements Disposable {
  /** Uses of the parts. */
  readonly asked: Use[] = [];
  /** Uses of the originals. */
  readonly real: Use[] = [];
  readonly #undo: (() => void)[] = [];
  readonly #dead = new Set<string>();
  /** How to stop the timers of each host. */
  readonly #stops = new Map<string, (() => void)[]>();
  #uuids = 0;
  #isInPart = false;

  constructor() {
    this.#undo.push(replaceSystem(this.#createParts()));
    this.#coverOriginals();
  }

  /** Runs as a host of this name: the timers that are set meanwhile are its own. */
  on<T>(host: string, run: () => T): T {
    return hosts.run(host, run);
  }

  /** The same for callbacks that others call. */
  bind<Given extends unknown[], Back>(
    host: string,
    callback: (...given: Given) => Back,
  ): (...given: Given) => Back {
    return (...given) => this.on(host, () => callback(...given));
  }

  /** From now on no timer of this host rings. */
  kill(host: string): void {
    this.#dead.add(host);
    for (const stop of this.#stops.get(host)?.splice(0) ?? []) stop();
  }

  [Symbol.dispose](): void {
    for (const undo of this.#undo.splice(0).toReversed()) undo();
  }

  #note(list: Use[], what: string): void {
    list.push({ what, file: findCaller(), host: hosts.getStore() });
  }

  #createParts(): { clock: Clock; randomness: Randomness; disk: Disk; processes: Processes } {
    const note = (what: string): void => this.#note(this.asked, what);
    const steady = performance.now.bind(performance);
    const begun = steady();
    /** A timer is its host's, and ends with it. */
    const own = <Timer>(timer: Timer, stop: (timer: Timer) => void): Timer => {
      const host = hosts.getStore();
      if (host === undefined) return timer;
      if (this.#dead.has(host)) stop(timer);
      else this.#stops.set(host, [...(this.#stops.get(host) ?? []), () => stop(timer)]);
      return timer;
    };
    const timers = { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate };
    const passed = (): number => steady() - begun;
    const clock: Clock = {
      Date: { now: () => (note('clock.Date.now'), Math.floor(BEGIN + passed())) },
      performance: { now: () => (note('clock.performance.now'), passed()) },
      process: {
        hrtime: { bigint: () => (note('clock.process.hrtime'), BigInt(Math.floor(passed() * 1e6))) },
      },
      setTimeout: (callback, ms) => (
        note('clock.setTimeout'),
        own(timers.setTimeout(callback, ms), timers.clearTimeout)
      ),
      clearTimeout: (timer) => (note('clock.clearTimeout'), timers.clearTimeout(timer)),
      setInterval: (callback, ms) => (
        note('clock.setInterval'),
        own(timers.setInterval(callback, ms), timers.clearInterval)
      ),
      clearInterval: (timer) => (note('clock.clearInterval'), timers.clearInterval(timer)),
      setImmediate: (callback) => (
        note('clock.setImmediate'),
        own(timers.setImmediate(callback), timers.clearImmediate)
      ),
      clearImmediate: (immediate) => (note('clock.clearImmediate'), timers.clearImmediate(immediate)),
    };
    const randomness: Randomness = {
      uuid: () => {
        note('randomness.uuid');
        this.#uuids += 1;
        return `00000000-0000-4000-8000-${String(this.#uuids).padStart(12, '0')}` as RandomUuid;
      },
      number: () => (note('randomness.number'), 0.5),
    };
    const noted = (name: string, source: object): object =>
      copyWith(source, (key, call) => (...given) => {
        note(`${name}.${key}`);
        // Some of Node's functions call others that are covered.
        this.#isInPart = true;
        try {
          return call(...given);
        } finally {
          this.#isInPart = false;
        }
      });
    return {
      clock,
      randomness,
      disk: { ...noted('disk', fs), promises: noted('disk.promises', fs.promises) } as Disk,
      processes: noted('processes', childProcess) as Processes,
    };
  }

  /** The parts above have the originals as they were before. */
  #coverOriginals(): void {
    const note = (what: string): void => {
      if (!this.#isInPart) this.#note(this.real, what);
    };
    const cover = (name: string, owner: object, keys: readonly string[] = Object.keys(owner)): void => {
      for (const key of keys) {
        const call = (owner as Owner)[key];
        if (typeof call !== 'function' || /^[A-Z_]/.test(key)) continue;
        const before = Object.getOwnPropertyDescriptor(owner, key);
        const covered = Object.assign(function (this: unknown, ...given: unknown[]): unknown {
          note(`${name}.${key}`);
          return (call as Call).apply(this, given);
        }, call);
        Object.defineProperty(owner, key, {
          value: covered,
          configurable: true,
          writable: true,
          enumerable: true,
        });
        this.#undo.push(() => {
          if (before) Object.defineProperty(owner, key, before);
          else delete (owner as Owner)[key];
        });
      }
    };
    cover('globalThis', globalThis, TIMERS);
    cover('performance', performance, ['now']);
    cover('Math', Math, ['random']);
    cover('process.hrtime', process.hrtime, ['bigint']);
    cover('crypto', globalThis.crypto, ['randomUUID', 'getRandomValues']);
    cover('node:crypto', nodeCrypto, ['randomUUID', 'randomBytes', 'randomInt']);
    cover('fs', fs);
    cover('fs.promises', fs.promises);
    cover('child_process', childProcess);
    cover('timers/promises', timersPromises, ['setTimeout', 'setImmediate', 'setInterval']);
    const real = Date;
    globalThis.Date = new Proxy(real, {
      get: (target, key, receiver) => {
        if (key === 'now') note('Date.now');
        return Reflect.get(target, key, receiver) as unknown;
      },
      construct: (target, given, self) => {
        if (given.length === 0) note('new Date()');
        return Reflect.construct(target, given, self) as object;
      },
    });
    this.#undo.push(() => {
      globalThis.Date = real;
    });
    syncBuiltinESMExports();
    this.#undo.unshift(() => syncBuiltinESMExports());
  }
}

function copyWith(source: object, change: (key: string, call: Call) => Call): object {
  return Object.fromEntries(
    Object.entries(source).map(([key, value]) =>
      typeof value === 'function' && !/^[A-Z_]/.test(key)
        ? [key, change(key, (value as Call).bind(source))]
        : [key, value as unknown],
    ),
  );
}

/** The file of the code that called into this one. Node's own code in between is skipped. */
function findCaller(): string {
  const before = Object.getOwnPropertyDescriptors(Error);
  Error.stackTraceLimit = 50;
  Error.prepareStackTrace = (_error, sites) => sites;
  const sites = new Error().stack as unknown as NodeJS.CallSite[];
  Object.defineProperty(Error, 'stackTraceLimit', before.stackTraceLimit);
  if (before.prepareStackTrace) Object.defineProperty(Error, 'prepareStackTrace', before.prepareStackTrace);
  else Reflect.deleteProperty(Error, 'prepareStackTrace');
  for (const site of sites) {
    // What follows is not called by this: it awaits it.
    if (site.isAsync()) break;
    const name = site.getFileName();
    if (name == null || name.startsWith('node:')) continue;
    const path = name.startsWith('file:') ? fileURLToPath(name) : name;
    if (path === OWN_FILE) continue;
    return relative(PROJECT_ROOT, path).split(sep).join('/');
  }
  return '';
}
