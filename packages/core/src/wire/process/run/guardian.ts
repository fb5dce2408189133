// The guardian: one small shell process per host, which ends the host's children when the host is dead (POSIX). It
// reads from a pipe that ends when the host dies. While the host lives, `terminate` ends children.
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
  /** A text in the environment of everything that it starts, and of no other process. */
  readonly mark: string;
  /** Milliseconds that it may take to exit by itself. */
  readonly graceMs: number;
}

// A guardian that does not start must not hold prompts back forever.
const STANDING_LIMIT_MS = 5000;
// A lost guardian is replaced at once; one that is lost again and again, after a growing pause.
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
  /** Whether prompts go on without a guardian, because none could be started. */
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
    // Later in this turn of the event loop, after the handshake, because starting a process takes milliseconds.
    else this.#startIn(0);
  }

  remove(pid: number): void {
    if (!this.#children.delete(pid)) return;
    this.#tell(`- ${pid}`);
    if (this.#children.size === 0) process.off('exit', this.#onExit);
  }

  /** A promise until there is a guardian, or none can be started. Undefined while there is one. */
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
        // A session of its own, so that Ctrl+C at the terminal does not end the guardian before the host.
        detached: true,
        // The guardian must not keep a folder from being unmounted.
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
      // Neither the guardian nor its pipes keep the host alive. Without free file handles there are no pipes, and an
      // error follows.
      guardian.unref();
      const { stdin, stdout } = guardian as { stdin: PipeEnd<Writable>; stdout: PipeEnd<Readable> };
      // A write to a guardian that was killed fails. Its exit is emitted as well.
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

  /** Lets prompts pass. An agent that may outlive its host by some seconds is better than none. */
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

  // An orderly exit lets the CLIs save their state. The pipe has room, so the write is complete when it returns.
  readonly #onExit = (): void => this.#tell('exit');
}

type PipeEnd<Stream> = (Stream & { unref?: () => void }) | null | undefined;

function describe({ pid, mark, graceMs }: GuardedChild): string {
  const ticks = Math.min(Math.ceil(graceMs / GUARDIAN_TICK_MS), MOST_TICKS);
  return `+ ${pid} ${mark} ${ticks}`;
}
