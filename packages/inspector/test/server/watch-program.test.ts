// How the end of a process is followed. Its own listeners are called by the test, because a real end would be that of the tests.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchProgram, type WatchedProgram } from '../../src/server/watch-program.js';

const EVENTS = ['beforeExit', 'uncaughtExceptionMonitor', 'exit'] as const;

let watched: WatchedProgram | undefined;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  watched?.stop();
  vi.useRealTimers();
});

interface Watched {
  holds?: boolean;
  isBehind?: () => boolean;
  redact?: (text: string) => string | undefined;
}

function watch({ holds = false, isBehind = () => false, redact = (text) => text }: Watched = {}) {
  const before = EVENTS.map((name) => process.rawListeners(name));
  let pages = 0;
  const server = {
    isBehind: vi.fn(isBehind),
    end: vi.fn(),
    keepAlive: vi.fn(),
    onHold: vi.fn(),
    redact,
    pages: () => pages,
  };
  const program = watchProgram(server, { holds });
  watched = program;
  const added = EVENTS.map((name, index) =>
    process.rawListeners(name).filter((each) => !before[index]?.includes(each)),
  );
  const call = (index: number, ...given: unknown[]): void =>
    added[index]?.forEach((listener) => Reflect.apply(listener, process, given));
  const show = (count: number): void => {
    pages = count;
    program.changed();
  };
  return {
    server,
    show,
    done: () => call(0, 0),
    fail: (error: unknown) => call(1, error),
    exit: (code: number) => call(2, code),
    stop: () => program.stop(),
    isLeft: () =>
      EVENTS.some((name, index) => process.rawListeners(name).some((each) => added[index]?.includes(each))),
  };
}

describe('a process that has done its work', () => {
  it('waits for a page that is behind, until it has everything', () => {
    let isBehind = true;
    const { done } = watch({ isBehind: () => isBehind });
    done();
    vi.advanceTimersByTime(100);
    expect(vi.getTimerCount()).toBe(1);
    isBehind = false;
    vi.advanceTimersByTime(20);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits half a second at most, and once', () => {
    const { done } = watch({ isBehind: () => true });
    done();
    vi.advanceTimersByTime(499);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(vi.getTimerCount()).toBe(0);
    done();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends at once where no page is behind', () => {
    const { done, server } = watch();
    done();
    expect(vi.getTimerCount()).toBe(0);
    expect([server.keepAlive.mock.calls, server.onHold.mock.calls]).toEqual([[], []]);
  });
});

describe('a process that is held', () => {
  it('goes on until its last page has been away for two seconds', () => {
    const { done, show, server } = watch({ holds: true });
    show(1);
    show(0);
    expect(vi.getTimerCount()).toBe(0);
    done();
    expect([server.keepAlive.mock.calls, server.onHold.mock.calls.length]).toEqual([[[true]], 1]);
    vi.advanceTimersByTime(1999);
    // The page was loaded again.
    show(1);
    vi.advanceTimersByTime(10_000);
    show(0);
    vi.advanceTimersByTime(1999);
    expect(server.keepAlive.mock.calls).toEqual([[true]]);
    vi.advanceTimersByTime(1);
    expect(server.keepAlive.mock.calls).toEqual([[true], [false]]);
    show(1);
    show(0);
    done();
    vi.advanceTimersByTime(10_000);
    expect([server.keepAlive.mock.calls.length, server.onHold.mock.calls.length]).toEqual([2, 1]);
  });

  it('waits for its first page without end', () => {
    const { done, show, server } = watch({ holds: true });
    done();
    show(0);
    vi.advanceTimersByTime(3_600_000);
    expect(server.keepAlive.mock.calls).toEqual([[true]]);
  });
});

describe('the end of a process', () => {
  it('is told with its exit code, and with what was thrown', () => {
    const { fail, exit, server } = watch({ redact: (text) => text.replace('secret', '…') });
    fail(new Error(`the secret is out ${'x'.repeat(400)}\nand more`));
    exit(7);
    const error = `the … is out ${'x'.repeat(400)}`.slice(0, 300);
    expect(server.end.mock.calls).toEqual([[{ how: 'exit', exitCode: 7, error }]]);
  });

  it('is told without an error that pages must not see, or where nothing was thrown', () => {
    for (const thrown of [[], [new Error('all of it')]]) {
      const { fail, exit, server, stop } = watch({ redact: () => undefined });
      thrown.forEach(fail);
      exit(0);
      expect(server.end.mock.calls).toEqual([[{ how: 'exit', exitCode: 0, error: undefined }]]);
      stop();
    }
  });

  it('concerns a closed server no more', () => {
    const { done, show, stop, isLeft } = watch({ holds: true });
    show(1);
    done();
    show(0);
    expect([vi.getTimerCount(), isLeft()]).toEqual([1, true]);
    stop();
    expect([vi.getTimerCount(), isLeft()]).toEqual([0, false]);
  });
});
