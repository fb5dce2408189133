// Holds the messages for a foreign server that does not listen yet. A server listens once it has set `onmessage` on its
// transport. Messages do not wait until its `connect` resolves: some servers resolve it only after the MCP handshake, and
// the messages of the handshake wait here.
import { createDeferred } from '../../../util/deferred.js';

/** How long a server may take to begin to listen, before requests are refused. The CLI would wait for a minute. */
export const LISTEN_LIMIT_MS = 3_000;

type OnMessage = (message: never, extra?: never) => void;

interface Waiting {
  /** The key of a request; undefined for a message without a reply. */
  key: number | undefined;
  deliver: () => void;
}

/** The inbox of one connection. The connection closes the inbox. */
export class ServerInbox {
  /** Resolves when the server listens, or when the inbox is closed. */
  readonly opened: Promise<void>;
  readonly #refuse: (key: number | undefined) => void;
  readonly #open = createDeferred<void>();
  #waiting: Waiting[] = [];
  #onmessage: OnMessage | undefined;
  #state: 'waiting' | 'late' | 'open' | 'closed' = 'waiting';
  #timer: NodeJS.Timeout | undefined;

  /** `refuse` is called for each message that the server did not take in time, with its key if it is a request. */
  constructor(refuse: (key: number | undefined) => void) {
    this.#refuse = refuse;
    this.opened = this.#open.promise;
  }

  get onmessage(): OnMessage | undefined {
    return this.#onmessage;
  }

  set onmessage(listener: OnMessage | undefined) {
    this.#onmessage = listener;
    // Messages wait a little longer. The rest of `connect` may still prepare things that the server needs for its
    // answers, in the same tick or after a short await.
    if (listener) setImmediate(() => this.open());
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Delivers the waiting messages. Later ones no longer wait. Does nothing before the server listens. */
  open(): void {
    if (!this.#onmessage || this.#state === 'open' || this.#state === 'closed') return;
    this.#state = 'open';
    clearTimeout(this.#timer);
    this.#open.resolve();
    for (const { deliver } of this.#takeWaiting()) deliver();
  }

  /** Delivers a message now, or as soon as the server listens. Refuses it if the server is late, and drops it after `close`. */
  put(message: Waiting): void {
    if (this.#state === 'open') message.deliver();
    else if (this.#state === 'late') this.#refuse(message.key);
    else if (this.#state === 'waiting') {
      this.#waiting.push(message);
      this.#timer ??= setTimeout(() => this.#giveUp(), LISTEN_LIMIT_MS);
    }
  }

  /** Takes back a request that waits here. False when it has already been delivered or refused. */
  withdraw(key: number): boolean {
    const before = this.#waiting.length;
    this.#waiting = this.#waiting.filter((message) => message.key !== key);
    return this.#waiting.length < before;
  }

  /** Drops the waiting messages without refusing them. */
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

  // Refuses the waiting messages. If the server begins to listen after all, it gets later ones.
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
