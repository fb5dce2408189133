// Follows the server by server-sent events. The browser connects again by itself with the number of the last event; what it does
// not do is done here: start over when the server refused, see at once that a laptop woke up, and say how long it has been gone.
import type { ServerState, StreamMessages } from '../../model/page-contract.js';
import type { PageListener } from '../page-source.js';
import { query } from './query.js';

/** How long until a closed stream is opened again: the last for every further time. */
const RETRY_MS = [500, 1000, 2000, 5000, 10_000];
/** A server that has not answered for so long counts as gone. */
const GONE_MS = 15_000;
/** A page that was hidden for longer does not trust its connection: sleeping computers leave dead ones behind. */
const TRUSTED_MS = 30_000;

/** Follows until the returned function is called. */
export function followStream(
  at: { session: string | undefined; after: number },
  listener: PageListener,
): () => void {
  const stream = new FollowedStream(at, listener);
  return () => stream.close();
}

class FollowedStream {
  readonly #session: string | undefined;
  readonly #listener: PageListener;
  #after: number;
  #stream: EventSource | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #lostAt: number | undefined;
  #hiddenAt: number | undefined;
  #isClosed = false;

  constructor({ session, after }: { session: string | undefined; after: number }, listener: PageListener) {
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
    this.#stream?.close();
    removeEventListener('online', this.#reopen);
    removeEventListener('pageshow', this.#onShow);
    document.removeEventListener('visibilitychange', this.#onVisibility);
  }

  readonly #reopen = (): void => {
    clearTimeout(this.#retry);
    this.#stream?.close();
    this.#open();
  };

  /** A page that the browser had put away and brought back has no connection any more. */
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
    const stream = new EventSource(`api/stream?${query({ session: this.#session, after: this.#after })}`);
    this.#stream = stream;
    const hear = (name: keyof StreamMessages, take: (data: string, id: string) => void): void => {
      stream.addEventListener(name, (event: MessageEvent<string>) => {
        if (this.#stream === stream && !this.#isClosed) take(event.data, event.lastEventId);
      });
    };
    stream.addEventListener('open', () => this.#opened(stream));
    stream.addEventListener('error', () => this.#broke(stream));
    hear('event', (line, id) => {
      this.#after = Math.max(this.#after, Number(id) || 0);
      this.#listener.event(line);
    });
    hear('summary', (data) => this.#listener.summary(JSON.parse(data) as StreamMessages['summary']));
    hear('question', (data) => this.#listener.asked(JSON.parse(data) as StreamMessages['question']));
    hear('settled', (data) => {
      const { session, id } = JSON.parse(data) as StreamMessages['settled'];
      this.#listener.settled(session, id);
    });
    hear('closed', () => {
      // Since long ago, so that it counts as gone with each attempt that fails, until one works.
      this.#lostAt = 0;
      this.#listener.connection('gone');
    });
    hear('cluster', (data) => this.#listener.cluster(JSON.parse(data) as StreamMessages['cluster']));
    hear('state', (data) => this.#listener.state(JSON.parse(data) as ServerState));
  }

  #opened(stream: EventSource): void {
    if (this.#stream !== stream || this.#isClosed) return;
    this.#failures = 0;
    this.#lostAt = undefined;
    this.#listener.connection('live');
  }

  #broke(stream: EventSource): void {
    if (this.#stream !== stream || this.#isClosed) return;
    this.#lostAt ??= Date.now();
    this.#listener.connection(Date.now() - this.#lostAt > GONE_MS ? 'gone' : 'lost');
    // While it is connecting, the browser tries again itself. Once closed it never will: the server answered with something else.
    if (stream.readyState === EventSource.CLOSED) void this.#askWhy(stream);
  }

  /** A stream does not tell how it was refused; a request does. */
  async #askWhy(stream: EventSource): Promise<void> {
    const status = await fetch('api/state', { credentials: 'same-origin', cache: 'no-store' }).then(
      (response) => response.status,
      () => 0,
    );
    if (this.#stream !== stream || this.#isClosed) return;
    if (status === 401) {
      this.#listener.connection('refused');
      return;
    }
    const wait = RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)];
    this.#failures += 1;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(this.#reopen, wait);
  }
}
