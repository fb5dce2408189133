// Starts the guardian and keeps it informed. The guardian is one small shell process for each host, on POSIX systems,
// which ends the host's children when the host is dead. It reads from a pipe that ends when the host dies. While the host
// lives, `terminate` ends children.
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { pauseBefore } from '../../../util/back-off.js';
import { createDeferred, type Deferred } from '../../../util/deferred.js';
import { messageOf } from '../../../util/message-of.js';
import { processes } from '../../../util/system/processes.js';
import { GUARDIAN_SCRIPT, GUARDIAN_TICK_MS } from './guardian-script.js';

/** A child that must end with the host. */
export interface GuardedChild {
  /** The process id, which is also the id of its process group. */
  readonly pid: number;
  /** A text in the environment of the child and everything that it starts, and of no other process. */
  readonly mark: string;
  /** Milliseconds that it may take to exit by itself. */
  readonly graceMs: number;
}

// How long prompts wait for a guardian that does not start.
const STANDING_LIMIT_MS = 5000;
// A guardian that exits is replaced at once. If guardians keep exiting within this time after their start, pauses grow.
const STEADY_MS = 1000;
const DELAYS = { firstMs: 50, longestMs: 5000 };
// Every shell can count to this number.
const MOST_TICKS = 2 ** 31 - 1;

/** The children that must not outlive this process, and the shell that knows of them. */
export class Guardian {
  readonly #shell: string;
  readonly #children = new Map<number, GuardedChild>();
  #process: ChildProcess | undefined;
  #isReady = false;
  #isStartDue = false;
  #startedAt = 0;
  #quickLosses = 0;
  /** Whether prompts no longer wait, because no guardian could be started. */
  #isDoneWithout = false;
  #hasWarned = false;
  #standing: { readonly reached: Deferred<void>; readonly limit: NodeJS.Timeout } | undefined;

  constructor(shell: string) {
    this.#shell = shell;
  }

  add(child: GuardedChild): void {
    if (this.#children.size === 0) process.on('exit', this.#onExit);
    this.#children.set(child.pid, child);
    if (this.#process) this.#tell(describe(child));
    // Starting a process takes milliseconds. So it is done later in this turn of the event loop, after the handshake.
    else this.#startIn(0);
  }

  remove(pid: number): void {
    if (!this.#children.delete(pid)) return;
    this.#tell(`- ${pid}`);
    if (this.#children.size === 0) process.off('exit', this.#onExit);
  }

  /** A promise that resolves when the guardian runs or cannot be started; undefined if there is nothing to wait for. */
  standing(): Promise<void> | undefined {
    if (this.#isReady || this.#isDoneWithout || this.#children.size === 0) return undefined;
    if (!this.#standing) {
      const reached = createDeferred<void>();
      const limit = setTimeout(
        () => this.#goWithout(`it did not start within ${STANDING_LIMIT_MS} ms`),
        STANDING_LIMIT_MS,
      );
      limit.unref();
      this.#standing = { reached, limit };
    }
    return this.#standing.reached.promise;
  }

  #startIn(delayMs: number): void {
    if (this.#isStartDue) return;
    this.#isStartDue = true;
    const start = (): void => {
      this.#isStartDue = false;
      if (this.#children.size > 0) this.#start();
    };
    if (delayMs === 0) setImmediate(start);
    else setTimeout(start, delayMs).unref();
  }

  #start(): void {
    this.#startedAt = performance.now();
    try {
      const guardian = processes.spawn(this.#shell, ['-c', GUARDIAN_SCRIPT, 'inboard-guardian'], {
        // The guardian gets its own session, so that Ctrl+C at the terminal does not end it before the host.
        detached: true,
        // In any other folder, the guardian could keep a file system from being unmounted.
        cwd: '/',
        env: { PATH: `${process.env['PATH'] ?? ''}:/usr/bin:/bin` },
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      const lose = (cause?: unknown): void => {
        if (this.#process === guardian) this.#lose(cause);
      };
      this.#process = guardian;
      guardian.once('error', lose);
      guardian.once('exit', () => lose());
      // Neither the guardian nor its pipes may keep the host alive. If no file handles are free, there are no pipes, and an
      // error follows.
      guardian.unref();
      const { stdin, stdout } = guardian as { stdin: PipeEnd<Writable>; stdout: PipeEnd<Readable> };
      // A write to a guardian that was killed fails. Node may report that before the exit.
      stdin?.on('error', lose);
      stdin?.unref?.();
      stdout?.unref?.();
      stdout?.on('error', () => {});
      stdout?.once('data', () => {
        stdout.destroy();
        if (this.#process === guardian) this.#stand();
      });
      for (const child of this.#children.values()) this.#tell(describe(child));
    } catch (error) {
      this.#lose(error);
    }
  }

  #tell(line: string): void {
    this.#process?.stdin?.write(`${line}\n`);
  }

  #stand(): void {
    this.#isReady = true;
    this.#isDoneWithout = false;
    this.#release();
  }

  #lose(cause: unknown): void {
    const hasStood = this.#isReady;
    this.#process = undefined;
    this.#isReady = false;
    const isQuick = performance.now() - this.#startedAt < STEADY_MS;
    this.#quickLosses = isQuick ? this.#quickLosses + 1 : 0;
    if (!hasStood) this.#goWithout(cause ? messageOf(cause) : 'it ended at once');
    if (this.#children.size === 0) return;
    this.#startIn(this.#quickLosses < 2 ? 0 : pauseBefore(this.#quickLosses - 2, DELAYS));
  }

  /** Lets prompts pass without a guardian. An agent that may outlive its host for a while is better than no agent. */
  #goWithout(reason: string): void {
    this.#isDoneWithout = true;
    this.#release();
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    process.emitWarning(
      `The process that ends the CLI when this one is killed could not be started (${this.#shell}: ${reason}). ` +
        'It will be tried again; until then, a CLI whose host is killed may continue its turn.',
      { code: 'INBOARD_NO_GUARDIAN' },
    );
  }

  #release(): void {
    clearTimeout(this.#standing?.limit);
    this.#standing?.reached.resolve();
    this.#standing = undefined;
  }

  // After an orderly exit of the host, the guardian gives the CLIs time to save their state. The pipe has room, so the
  // write is complete when it returns.
  readonly #onExit = (): void => this.#tell('exit');
}

type PipeEnd<Stream> = (Stream & { unref?: () => void }) | null | undefined;

function describe({ pid, mark, graceMs }: GuardedChild): string {
  const ticks = Math.min(Math.ceil(graceMs / GUARDIAN_TICK_MS), MOST_TICKS);
  return `+ ${pid} ${mark} ${ticks}`;
}
