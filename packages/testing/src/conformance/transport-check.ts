// Shared by the conformance cases for transports: a peer program, and a receiver that records what is delivered and checks
// the rules of delivery.
import assert from 'node:assert/strict';
import type { Transport, TransportEnd, TransportReceiver } from '@inboard/core/wire/transport/transport.js';

/** When the peer of a case exits. `obedient`: when its input ends. `deaf`: not before SIGTERM. `stubborn`: only at SIGKILL. */
export type PeerManner = 'obedient' | 'deaf' | 'stubborn';

/**
 * The program at the other end. It writes back every line of its input. Run it with Node, as in
 * `spawn(process.execPath, peer.args)`.
 */
export interface TransportPeer {
  readonly manner: PeerManner;
  /** Arguments with which Node runs the peer. A peer that is not obedient writes the line `ready` first. */
  readonly args: readonly string[];
}

/** A case. It is given the transport to run on. */
export interface TransportCheck {
  readonly name: string;
  /** How the peer of the case exits. Default `obedient`. */
  readonly manner?: PeerManner;
  /** Resolves with the witness if the transport is still open. The transport is then terminated, and must report its end. */
  readonly run: (transport: Transport) => Promise<TransportWitness | void>;
}

// A case that waits longer than this fails.
const LIMIT_MS = 15_000;

const PROGRAM = `
const [manner] = process.argv.slice(1);
if (manner === 'stubborn') process.on('SIGTERM', () => {});
if (manner !== 'obedient') {
  setInterval(() => {}, 60_000);
  process.stdout.write('ready\\n');
}
process.stdin.pipe(process.stdout);
`;

/** The peer program that exits in this way. */
export function createPeer(manner: PeerManner): TransportPeer {
  return { manner, args: ['--eval', PROGRAM, '--', manner] };
}

/** Records what a transport delivers, and which rules of delivery it breaks. */
export class TransportWitness implements TransportReceiver {
  readonly lines: string[] = [];
  readonly ends: TransportEnd[] = [];
  readonly #broken: string[] = [];
  readonly #onLine: ((line: string) => void) | undefined;
  #mayDeliver = false;
  #waiters: Array<() => void> = [];

  private constructor(onLine: ((line: string) => void) | undefined) {
    this.#onLine = onLine;
  }

  /** Opens the transport and records what it delivers. */
  static open(transport: Transport, onLine?: (line: string) => void): TransportWitness {
    const witness = new TransportWitness(onLine);
    transport.open(witness);
    witness.#mayDeliver = true;
    return witness;
  }

  line(text: string): void {
    if (!this.#mayDeliver) this.#broken.push('a line was delivered at a time when none may be');
    if (this.ends.length > 0) this.#broken.push('a line was delivered after closed()');
    this.lines.push(text);
    this.#onLine?.(text);
    this.#wake();
  }

  fault(): void {
    this.#wake();
  }

  closed(end: TransportEnd): void {
    if (!this.#mayDeliver) this.#broken.push('closed() was called at a time when it may not be');
    this.ends.push(end);
    if (this.ends.length > 1) this.#broken.push('closed() was called more than once');
    this.#wake();
  }

  /** Runs an action during which nothing may be delivered. */
  undisturbed(action: () => void): void {
    this.#mayDeliver = false;
    action();
    this.#mayDeliver = true;
  }

  /** Waits until there are `count` lines. */
  async receive(count: number): Promise<void> {
    await this.#until(() => this.lines.length >= count, `${count} lines (there are ${this.lines.length})`);
  }

  /** Waits for the end and checks that all rules were kept. */
  async end(): Promise<TransportEnd> {
    await this.#until(() => this.ends.length > 0, 'closed()');
    assert.deepEqual(this.#broken, []);
    const [end] = this.ends;
    assert.ok(end);
    return end;
  }

  async #until(isReached: () => boolean, what: string): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new assert.AssertionError({ message: `waited in vain for ${what}` })),
        LIMIT_MS,
      );
    });
    try {
      while (!isReached()) {
        const next = new Promise<void>((resolve) => {
          this.#waiters.push(resolve);
        });
        await Promise.race([next, limit]);
      }
    } finally {
      clearTimeout(timer);
      limit.catch(() => {});
    }
  }

  #wake(): void {
    for (const wake of this.#waiters.splice(0)) wake();
  }
}
