// A terminal in memory: it keeps what a command writes, and the test decides whether a person is there.
import { PassThrough } from 'node:stream';
import type { Terminal } from '../src/terminal/terminal.js';

export interface FakeTerminal extends Terminal {
  readonly stdin: PassThrough & { isTTY?: boolean };
  /** What was written so far. */
  readonly written: () => { stdout: string; stderr: string };
  /** Resolves once the standard error holds the text. */
  readonly waitFor: (text: string) => Promise<void>;
  readonly stop: (reason: Error) => void;
  /** Presses Ctrl-C while no line is typed; gives whether a handler took it. */
  readonly interrupt: () => boolean;
}

export function createFakeTerminal({
  isTTY = false,
  env = {},
  cwd = process.cwd(),
}: { isTTY?: boolean; env?: Record<string, string | undefined>; cwd?: string } = {}): FakeTerminal {
  const controller = new AbortController();
  const waiting = new Set<() => void>();
  const handlers = new Set<() => boolean>();
  const texts = { stdout: '', stderr: '' };
  const open = (name: 'stdout' | 'stderr') => {
    const stream = Object.assign(new PassThrough(), { isTTY });
    stream.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
      for (const check of waiting) check();
    });
    return stream;
  };
  return {
    stdin: Object.assign(new PassThrough(), { isTTY }),
    stdout: open('stdout'),
    stderr: open('stderr'),
    env,
    cwd,
    signal: controller.signal,
    written: () => ({ ...texts }),
    takeInterrupt: (handler) => {
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
    interrupt: () => [...handlers].at(-1)?.() ?? false,
    stop: (reason) => controller.abort(reason),
    waitFor: (text) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!texts.stderr.includes(text)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
}
