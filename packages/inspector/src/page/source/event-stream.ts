// Follows the server by server-sent events. It reconnects when the connection breaks, when a page that was hidden for long is
// shown again, or when the network is back. It then continues after the number of the last event.
import type { ServerEnd, ServerState, StreamMessages } from '../../model/page-contract.js';
import type { PageListener } from '../page-source.js';
import type { Ask } from './entry.js';
import { encodeQuery } from './encode-query.js';
import { createMessageReader, type StreamMessage } from './read-messages.js';
import { retryAfter } from './retry.js';

/** After this time without an answer, the server counts as gone. */
const GONE_MS = 15_000;
/** A page that was hidden for longer reconnects, because its connection may have died while the computer slept. */
const TRUSTED_MS = 30_000;

/** Follows until the returned function is called. */
export function followStream(
  ask: Ask,
  at: { session: string | undefined; after: number },
  listener: PageListener,
): () => void {
  const stream = new FollowedStream(ask, at, listener);
  return () => stream.close();
}

class FollowedStream {
  readonly #ask: Ask;
  readonly #session: string | undefined;
  readonly #listener: PageListener;
  #after: number;
  /** Ends the present connection. */
  #stream: AbortController | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #lostAt: number | undefined;
  #hiddenAt: number | undefined;
  /** What the server said of its end. */
  #end: ServerEnd | undefined;
  #isClosed = false;

  constructor(
    ask: Ask,
    { session, after }: { session: string | undefined; after: number },
    listener: PageListener,
  ) {
    this.#ask = ask;
    this.#session = session;
    this.#after = after;
    this.#listener = listener;
    listener.connection('connecting');
    this.#open();
    addEventListener('online', this.#reopen);
    addEventListener('pageshow', this.#onShow);
    document.addEventListener('visibilitychange', this.#onVisibility);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#stream?.abort();
    removeEventListener('online', this.#reopen);
    removeEventListener('pageshow', this.#onShow);
    document.removeEventListener('visibilitychange', this.#onVisibility);
  }

  readonly #reopen = (): void => {
    // Another server at this address would not know this browser.
    if (this.#end?.how === 'exit') return;
    clearTimeout(this.#retry);
    this.#stream?.abort();
    this.#open();
  };

  /** Reconnects a page that the browser restored from its cache, because such a page has lost its connection. */
  readonly #onShow = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) this.#reopen();
  };

  readonly #onVisibility = (): void => {
    if (document.hidden) {
      this.#hiddenAt = Date.now();
      return;
    }
    const wasHidden = this.#hiddenAt !== undefined && Date.now() - this.#hiddenAt > TRUSTED_MS;
    this.#hiddenAt = undefined;
    if (wasHidden || this.#lostAt !== undefined) this.#reopen();
  };

  #open(): void {
    const stream = new AbortController();
    this.#stream = stream;
    const isCurrent = (): boolean => this.#stream === stream && !this.#isClosed;
    void this.#read(stream.signal, isCurrent).then((outcome) => {
      if (!isCurrent()) return;
      if (outcome === 401) this.#listener.connection('refused');
      else this.#broke(outcome === 'no answer');
    });
  }

  /** Reads to the end of the connection; gives the status of an answer that is not a stream, or that nobody answered. */
  async #read(signal: AbortSignal, isCurrent: () => boolean): Promise<number | 'no answer' | undefined> {
    let isAnswered = false;
    try {
      const path = `api/stream?${encodeQuery({ session: this.#session, after: this.#after })}`;
      const response = await this.#ask(path, { signal });
      isAnswered = true;
      if (!response.ok || !response.body) return response.status;
      if (isCurrent()) this.#opened();
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      const readMessages = createMessageReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return undefined;
        for (const message of readMessages(value)) if (isCurrent()) this.#take(message);
      }
    } catch {
      // The connection broke, or this page ended it.
      return isAnswered ? undefined : 'no answer';
    }
  }

  #take({ name, id, data }: StreamMessage): void {
    const listener = this.#listener;
    if (name === 'event') {
      this.#after = Math.max(this.#after, Number(id) || 0);
      listener.event(data);
      return;
    }
    const value: unknown = JSON.parse(data);
    if (name === 'summary') listener.summary(value as StreamMessages['summary']);
    else if (name === 'question') listener.asked(value as StreamMessages['question']);
    else if (name === 'settled') {
      const { session, id: question } = value as StreamMessages['settled'];
      listener.settled(session, question);
    } else if (name === 'cluster') listener.cluster(value as StreamMessages['cluster']);
    else if (name === 'state') listener.state(value as ServerState);
    else if (name === 'closed') {
      // The server counts as gone until an attempt succeeds.
      this.#lostAt = 0;
      this.#end = value as StreamMessages['closed'];
      listener.ended(this.#end);
      listener.connection('gone');
    }
  }

  #opened(): void {
    this.#failures = 0;
    this.#lostAt = undefined;
    this.#end = undefined;
    this.#listener.connection('live');
  }

  /** `isSilent` says that a new connection was not even answered: then the program is gone, whatever it said. */
  #broke(isSilent: boolean): void {
    if (this.#end?.how === 'exit') return;
    this.#lostAt ??= Date.now();
    const isGone = isSilent || Date.now() - this.#lostAt > GONE_MS;
    if (isGone) this.#listener.ended(this.#end ?? { how: 'silent' });
    this.#listener.connection(isGone ? 'gone' : 'lost');
    clearTimeout(this.#retry);
    this.#retry = setTimeout(this.#reopen, retryAfter(this.#failures));
    this.#failures += 1;
  }
}
