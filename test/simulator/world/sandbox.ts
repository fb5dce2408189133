// Runs bundled code in a simulated world: every global and module of Node through which it could reach the real time, chance, disk or
// processes is another one. The code is evaluated anew for each world, so that nothing of an earlier world is left in its modules.
import { AsyncLocalStorage } from 'node:async_hooks';
import * as asyncHooks from 'node:async_hooks';
import { createHash } from 'node:crypto';
import * as crypto from 'node:crypto';
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import os from 'node:os';
import { runInThisContext } from 'node:vm';
import { createFiles } from './host-files.js';
import { createTimers } from './host-timers.js';
import type { Host, World } from './world.js';

const realRequire = createRequire(import.meta.url);

/** Modules that do nothing but compute. All others are refused, so that nothing real is reached unseen. */
const PURE = new Set([
  'assert',
  'buffer',
  'constants',
  'events',
  'path',
  'querystring',
  'stream',
  'string_decoder',
  'stream/promises',
  'url',
  'util',
  'util/types',
  'diagnostics_channel',
]);

const NAMES = [
  'require',
  'module',
  'exports',
  'process',
  'globalThis',
  'global',
  'Date',
  'performance',
  'Math',
  'crypto',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'AbortSignal',
  'FinalizationRegistry',
  'WeakRef',
  'fetch',
  '__filename',
  '__dirname',
];

export type Program = (...given: unknown[]) => void;

/** Compiles a CommonJS text so that it can be evaluated in many worlds. */
export function compileProgram(text: string, filename: string): Program {
  const body = text.replace(/^#!.*/, '');
  // A variable of the code may have the name of a global, and must not be it.
  return runInThisContext(`(function (${NAMES.join(', ')}) { (function () {${body}\n})(); })`, {
    filename,
  }) as Program;
}

/** What a CLI of the world is besides its code. */
export interface ProgramFacts {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  exit: (code: number) => void;
  stdout: (text: string, done?: () => void) => void;
  stderr: (text: string) => void;
  modules: Readonly<Record<string, unknown>>;
}

export class Sandbox {
  readonly world: World;
  readonly files: ReturnType<typeof createFiles>;
  readonly #timers: ReturnType<typeof createTimers>;
  readonly #modules: Record<string, unknown>;
  readonly #globals: Record<string, unknown>;
  readonly #pids = new Map<number, Host>();
  #started = 0;
  readonly #storages: AsyncLocalStorage<unknown>[] = [];

  constructor(world: World) {
    this.world = world;
    this.files = createFiles(world);
    this.#timers = createTimers(world);
    const { functions } = this.files.disk;
    functions.mkdirSync('/proc/sys/kernel/random', { recursive: true });
    functions.writeFileSync('/proc/sys/kernel/random/boot_id', 'a-boot');
    functions.mkdirSync('/proc/self/ns', { recursive: true });
    functions.symlinkSync('pid:[1]', '/proc/self/ns/pid');
    const outside = world.chanceFor('outside');
    const next = (): number => (world.host?.chance ?? outside).next();
    const randomBytes = (length: number): Buffer => {
      const bytes = Buffer.alloc(length);
      for (let index = 0; index < length; index += 1) bytes[index] = Math.floor(next() * 256);
      return bytes;
    };
    const randomUUID = (): string => {
      const hex = randomBytes(16).toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
    };
    const getRandomValues = (into: Uint8Array): Uint8Array => (into.set(randomBytes(into.length)), into);
    const chance = {
      randomBytes,
      randomUUID,
      getRandomValues,
      randomInt: (low: number, high?: number) => {
        const [from, to] = high === undefined ? [0, low] : [low, high];
        return from + Math.floor(next() * (to - from));
      },
    };
    const ownCrypto = { ...crypto, ...chance, createHash, webcrypto: chance };
    const simulatedOs = {
      ...os,
      tmpdir: () => '/tmp',
      homedir: () => '/home',
      hostname: () => 'machine',
      userInfo: () => ({
        uid: 1e3,
        gid: 1e3,
        username: 'user',
        homedir: '/home',
        shell: null,
      }),
    };
    const { promises, globals, performance } = this.#timers;
    this.#modules = {
      fs: this.files.fs,
      'fs/promises': this.files.promises,
      os: { ...simulatedOs, default: simulatedOs },
      crypto: { ...ownCrypto, default: ownCrypto },
      timers: globals,
      async_hooks: { ...asyncHooks, AsyncLocalStorage: this.#createStorageClass() },
      net: { BlockList, isIP, isIPv4, isIPv6 },
      'timers/promises': promises,
      perf_hooks: {
        performance,
        monitorEventLoopDelay: () => ({ enable() {}, disable() {}, reset() {}, percentile: () => 0 }),
      },
      child_process: { spawn: refuse('spawn'), spawnSync: refuse('spawnSync'), execFile: refuse('execFile') },
    };
    const registry = class {
      register(): void {}
      unregister(): void {}
    };
    const reference = class {
      readonly #held: unknown;
      constructor(held: unknown) {
        this.#held = held;
      }
      deref(): unknown {
        return this.#held;
      }
    };
    const math = Object.create(Math, { random: { value: next } }) as object;
    this.#globals = {
      ...globals,
      Date: this.#timers.Date,
      performance,
      Math: math,
      crypto: chance,
      AbortSignal: this.#timers.AbortSignal,
      FinalizationRegistry: registry,
      WeakRef: reference,
      fetch: refuse('fetch'),
      __filename: '/desk/scene.cjs',
      __dirname: '/desk',
    };
  }

  /** Makes a host a process, with a number and what Linux tells of it. */
  describeHost(host: Host, parent?: Host): number {
    const pid = 1000 + this.#started;
    this.#started += 1;
    this.#pids.set(pid, host);
    const above = [...this.#pids].find(([, each]) => each === parent)?.[0] ?? 1;
    const { functions } = this.files.disk;
    const folder = `/proc/${pid}`;
    const fields = ['S', above, pid, ...Array.from({ length: 16 }, () => 0), 5000 + pid, 0];
    this.world.on(undefined, () => {
      functions.mkdirSync(folder, { recursive: true });
      functions.writeFileSync(`${folder}/stat`, `${pid} (node) ${fields.join(' ')}`);
    });
    host.onDeath = () => {
      this.#pids.delete(pid);
      functions.rmSync(folder, { recursive: true });
    };
    return pid;
  }

  /** What starts child processes. */
  set spawn(spawn: (command: string, args: readonly string[], options: object) => object) {
    Object.assign(this.#modules.child_process as object, { spawn });
  }

  /** Evaluates the code, with modules of the simulator beside Node's; returns what it exports. */
  load(program: Program, modules: Readonly<Record<string, unknown>>, facts?: ProgramFacts): object {
    const module = { exports: {} };
    const require = (name: string): unknown => {
      const own = modules[name] ?? facts?.modules[name];
      if (own !== undefined) return own;
      const plain = name.replace(/^node:/, '');
      if (plain === 'module')
        return { createRequire: () => require, default: { createRequire: () => require } };
      if (Object.hasOwn(this.#modules, plain)) return this.#modules[plain];
      if (PURE.has(plain)) return realRequire(plain) as unknown;
      return refuseModule(name);
    };
    const process = this.#createProcess(facts);
    const globals: Record<string, unknown> = {
      ...this.#globals,
      process,
      require,
      module,
      exports: module.exports,
    };
    const whole = Object.create(globalThis, Object.getOwnPropertyDescriptors(globals)) as object;
    Object.assign(globals, { globalThis: whole, global: whole });
    program(...NAMES.map((name) => globals[name]));
    return module.exports;
  }

  /** Storages that are left on make every promise of later worlds slower. */
  #createStorageClass(): typeof AsyncLocalStorage {
    const storages = this.#storages;
    return class<T> extends AsyncLocalStorage<T> {
      constructor() {
        super();
        storages.push(this);
      }
    };
  }

  /** The world has ended. */
  end(): void {
    for (const storage of this.#storages) storage.disable();
  }

  #createProcess(facts: ProgramFacts | undefined): object {
    const { world } = this;
    const pids = this.#pids;
    const emitter = new EventEmitter();
    const find = (): number => {
      for (const [pid, host] of pids) if (host === world.host) return pid;
      return 999;
    };
    const own = {
      env: facts?.env ?? { HOME: '/home', PATH: '/bin', INBOARD_CACHE: 'off' },
      argv: facts?.argv ?? ['node', 'simulated'],
      execArgv: [],
      execPath: '/bin/node',
      platform: 'linux',
      arch: 'x64',
      version: 'v22.0.0',
      versions: { node: '22.0.0' },
      hrtime: this.#timers.hrtime,
      uptime: () => world.now / 1000,
      cwd: () => facts?.cwd ?? '/desk',
      exit: facts?.exit ?? refuse('process.exit'),
      stdout: { write: (text: string, done?: () => void) => (facts?.stdout(text, done), true), on() {} },
      stderr: { write: (text: string) => (facts?.stderr(text), true), on() {} },
      stdin: {},
      emitWarning: (warning: unknown) =>
        world.note(`warning ${(warning as Error)?.message ?? String(warning)}`),
      nextTick: process.nextTick.bind(process),
      memoryUsage: process.memoryUsage,
      getuid: () => 1000,
      kill: (pid: number, signal: unknown) => {
        const host = pids.get(Math.abs(pid));
        if (!host || host.isDead)
          throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH', syscall: 'kill' });
        if (signal !== 0) host.signal?.(String(signal));
        return true;
      },
    };
    const whole: object = Object.assign(emitter, own);
    Object.defineProperty(whole, 'pid', { get: find });
    return whole;
  }
}

const refuse = (what: string) => (): never => {
  throw new Error(`A simulated world has no ${what}`);
};

/** A module that code may name, but not use. */
function refuseModule(name: string): unknown {
  const use = (key: string | symbol): unknown => {
    if (typeof key === 'symbol' || key === '__esModule' || key === 'then') return undefined;
    return class {
      constructor() {
        throw new Error(`A simulated world has no ${name}`);
      }
      static [Symbol.hasInstance](): boolean {
        return false;
      }
    };
  };
  return new Proxy({}, { get: (_, key) => (key === 'default' ? refuseModule(name) : use(key)) });
}
