// `node:fs` and its promises for the hosts of a world: files in memory, and a time for each call that the world decides.
import { Buffer } from 'node:buffer';
import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { constants } from 'node:fs';
import { MemoryDisk } from './memory-disk.js';
import type { World } from './world.js';

const SPEED = { usual: 0.5, rare: 30 };
const NOTICE = { usual: 5, rare: 500 };

type Call = (...given: never[]) => unknown;

/** Both modules, and the disk behind them. */
export function createFiles(world: World) {
  const disk = new MemoryDisk(
    () => world.date,
    () => (world.host?.diskFullUntil ?? 0) > world.now,
  );
  const sync = disk.functions as unknown as Record<string, Call>;
  /** Does it when the world says so, as a worker thread of Node would. */
  const later = <T>(what: string, run: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      world.after(world.draw(SPEED), `disk ${what}`, () => {
        try {
          resolve(run());
        } catch (error) {
          reject(error);
        }
      });
    });
  const call = (name: string, given: readonly unknown[]): unknown =>
    (sync[`${name}Sync`] as (...all: unknown[]) => unknown)(...given);
  const names = Object.keys(sync).map((name) => name.replace(/Sync$/, ''));

  const openHandle = (fd: number) => {
    const at = <T>(name: string, ...given: unknown[]): Promise<T> =>
      later(name, () => call(name, [fd, ...given]) as T);
    const handle = {
      fd,
      read: async (into?: unknown, ...rest: unknown[]) => {
        const isOptions = into === undefined || !ArrayBuffer.isView(into);
        const options = (isOptions ? into : {}) as { buffer?: Uint8Array; offset?: number; length?: number };
        const buffer = isOptions ? (options?.buffer ?? Buffer.alloc(16_384)) : (into as Uint8Array);
        const bytesRead = await at<number>('read', buffer, ...(isOptions ? [options ?? {}] : rest));
        return { bytesRead, buffer };
      },
      write: async (data: unknown, ...rest: unknown[]) => ({
        bytesWritten: await at<number>('write', data, ...rest),
        buffer: data,
      }),
      writev: async (parts: Uint8Array[]) => ({
        bytesWritten: await at<number>('write', Buffer.concat(parts)),
      }),
      readFile: (options?: unknown) => at('readFile', options),
      writeFile: (data: unknown, options?: unknown) => at('writeFile', data, options),
      appendFile: (data: unknown, options?: unknown) => at('writeFile', data, options),
      stat: () => at('fstat'),
      truncate: (length?: number) => at('ftruncate', length),
      sync: () => at('fsync'),
      datasync: () => at('fdatasync'),
      chmod: (mode: number) => at('fchmod', mode),
      close: () => at<void>('close'),
      createReadStream: () => Readable.from([call('readFile', [fd])]),
      [Symbol.asyncDispose]: () => at<void>('close'),
    };
    return handle;
  };
  const promises = {
    ...Object.fromEntries(
      names.map((name) => [name, (...given: unknown[]) => later(name, () => call(name, given))]),
    ),
    open: (...given: unknown[]) => later('open', () => openHandle(call('open', given) as number)),
    constants,
  };
  const callbacks = Object.fromEntries(
    names.map((name) => [
      name,
      (...given: unknown[]) => {
        const back = given.pop() as (error: unknown, value?: unknown) => void;
        later(name, () => call(name, given)).then((value) => back(null, value), back);
      },
    ]),
  );
  const watch = (path: string, ...rest: unknown[]) => {
    const listener = rest.findLast((each) => typeof each === 'function') as
      ((event: string, name: string) => void) | undefined;
    const watcher = new EventEmitter() as EventEmitter & Record<string, unknown>;
    const host = world.host;
    const end = disk.watch(path, (name) => {
      world.on(host, () =>
        world.after(world.draw(NOTICE), `notice ${name}`, () => {
          if (!isEnded) watcher.emit('change', 'change', name);
        }),
      );
    });
    let isEnded = false;
    if (listener) watcher.on('change', listener);
    const own = {
      close: () => {
        isEnded = true;
        end();
      },
      ref: () => watcher,
      unref: () => watcher,
    };
    return Object.assign(watcher, own);
  };
  const createReadStream = (path: string): Readable => Readable.from([call('readFile', [path])]);
  const fs = { ...callbacks, ...sync, watch, createReadStream, promises, constants };
  // Node's own has it as `fs.realpathSync.native`.
  Object.assign(sync.realpathSync as object, { native: sync.realpathSync });
  return {
    disk,
    fs: { ...fs, default: fs } as Record<string, unknown>,
    promises: { ...promises, default: promises },
  };
}
