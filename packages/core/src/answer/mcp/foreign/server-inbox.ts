// What waits for a foreign server until it can take messages: that is, until it has set `onmessage` on its transport.
// Its `connect` is not waited for: some servers resolve it only after the MCP handshake, which is among what waits here.
import { createDeferred } from '../../../util/deferred.js';

/** How long a server may take to begin listening before requests are refused. The CLI would wait for a minute. */
export const LISTEN_LIMIT_MS = 3_000;

type OnMessage = (message: never, extra?: never) => void;

interface Waiting {
  /** The request it is; undefined for anything that has no reply. */
  key: number | undefined;
  deliver: () => void;
}

/** One per connection. Ends by `close`. */
export class ServerInbox {
  /** Resolves when the server listens, or when nothing will be delivered any more. */
  readonly opened: Promise<void>;
  readonly #refuse: (key: number | undefined) => void;
  readonly #open = createDeferred<void>();
  #waiting: Waiting[] = [];
  #onmessage: OnMessage | undefined;
  #state: 'waiting' | 'late' | 'open' | 'closed' = 'waiting';
  #timer: NodeJS.Timeout | undefined;

  /** `refuse` is called for everything the server did not take in time, with the key of a request. */
  constructor(refuse: (key: number | undefined) => void) {
    this.#refuse = refuse;
    this.opened = this.#open.promise;
  }

  get onmessage(): OnMessage | undefined {
    return this.#onmessage;
  }

  set onmessage(listener: OnMessage | undefined) {
    this.#onmessage = listener;
    // Not at once: what `connect` does next in the same turn, or after an await that has nothing to wait for,
    // may be needed to answer.
    if (listener) setImmediate(() => this.open());
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Delivers what has waited, and from now on everything at once; does nothing before the server listens. */
  open(): void {
    if (!this.#onmessage || this.#state === 'open' || this.#state === 'closed') return;
    this.#state = 'open';
    clearTimeout(this.#timer);
    this.#open.resolve();
    for (const { deliver } of this.#takeWaiting()) deliver();
  }

  /** Delivers now or as soon as the server listens; refuses once it is late. */
  put(message: Waiting): void {
    if (this.#state === 'open') message.deliver();
    else if (this.#state === 'late') this.#refuse(message.key);
    else if (this.#state === 'waiting') {
      this.#waiting.push(message);
      this.#timer ??= setTimeout(() => this.#giveUp(), LISTEN_LIMIT_MS);
    }
  }

  /** Takes a request back that has not been delivered; false when it is too late for that. */
  withdraw(key: number): boolean {
    const before = this.#waiting.length;
    this.#waiting = this.#waiting.filter((message) => message.key !== key);
    return this.#waiting.length < before;
  }

  /** Forgets what waits: nobody is there who wants it. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
  }

  close(): void {
    this.clear();
    this.#state = 'closed';
    this.#open.resolve();
  }

  // The server may still begin to listen, for the next session.
  #giveUp(): void {
    this.#state = 'late';
    for (const { key } of this.#takeWaiting()) this.#refuse(key);
  }

  #takeWaiting(): Waiting[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }
}
