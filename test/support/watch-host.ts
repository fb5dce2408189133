// What a session may not do to its host: unhandled errors, leak warnings, listeners and files left behind.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';

/** Watches the host until it is stopped. */
export interface HostWatch {
  /** Fails the test when anything is wrong or left; waits until it could have shown. */
  expectClean(): Promise<void>;
  stop(): void;
}

/** Starts watching; temporary files go to a folder of their own meanwhile. */
export function watchHost(): HostWatch {
  const troubles: unknown[] = [];
  const note = (trouble: unknown): void => {
    troubles.push(trouble);
  };
  const temporary = mkdtempSync(join(tmpdir(), 'watched-'));
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = temporary;
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
  process.on('warning', note);
  const listeners = countListeners();
  return {
    async expectClean() {
      // Unhandled rejections and warnings are told when the current turn of the event loop is over.
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      expect(troubles).toEqual([]);
      expect(countListeners()).toEqual(listeners);
      expect(readdirSync(temporary)).toEqual([]);
    },
    stop() {
      process.off('unhandledRejection', note);
      process.off('uncaughtException', note);
      process.off('warning', note);
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
      rmSync(temporary, { recursive: true, force: true });
    },
  };
}

function countListeners(): Record<string, number> {
  return Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)]));
}
