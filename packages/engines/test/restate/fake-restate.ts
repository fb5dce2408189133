// Restate without a server: promises that only this process keeps, and attempts that a test scripts.
import type { AttemptReply, AttemptRequest } from '../../src/restate/attempt-handler.js';
import { takeAnswer } from '../../src/restate/kept-turn.js';
import type {
  DurablePromise,
  ExclusiveContext,
  RestateLibrary,
  Serde,
} from '../../src/restate/restate-library.js';

class TerminalError extends Error {
  readonly code: number;
  constructor(message: string, options: { errorCode?: number } = {}) {
    super(message);
    this.code = options.errorCode ?? 500;
  }
}

class CancelledError extends TerminalError {
  constructor() {
    super('Cancelled', { errorCode: 409 });
  }
}

function durable<Value>(promise: Promise<Value>): DurablePromise<Value> {
  promise.catch(() => {});
  return Object.assign(promise, {
    map: <Mapped>(mapper: (value?: Value, failure?: Error) => Mapped) =>
      durable(
        promise.then(
          (value) => mapper(value),
          (failure: Error) => mapper(undefined, failure),
        ),
      ),
  });
}

export const library: RestateLibrary = {
  object: ({ name }) => ({ name }),
  handlers: { object: { exclusive: (_options, run) => run, shared: (_options, run) => run } },
  RestatePromise: { race: (promises) => durable(Promise.race(promises)) },
  TerminalError,
  CancelledError,
};

interface Settle {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** One object with its state. `attempts` are the replies, in order. */
export class FakeObject {
  readonly state = new Map<string, unknown>();
  readonly requests: AttemptRequest[] = [];
  readonly sleeps: Array<{ ms: number; end: () => void }> = [];
  readonly #awakeables = new Map<string, Settle>();
  /** By idempotency key. */
  readonly #taken = new Map<string, unknown>();
  #invocations = 0;
  readonly #attempts: Array<(request: AttemptRequest) => Promise<AttemptReply>>;
  cancel = (): void => {};

  constructor(...attempts: Array<(request: AttemptRequest) => Promise<AttemptReply>>) {
    this.#attempts = attempts;
  }

  /** Completes an awakeable with these bytes, as its server does. */
  complete(id: string, text: string): void {
    this.#awakeables.get(id)?.resolve(text);
  }

  reject(id: string, reason: string): void {
    this.#awakeables.get(id)?.reject(new TerminalError(reason));
  }

  /** The context of a new invocation. */
  get context(): ExclusiveContext {
    this.#invocations += 1;
    const id = `inv-${this.#invocations}`;
    return {
      key: 'chat',
      get: async (name) => this.state.get(name) ?? null,
      set: (name, value) => void this.state.set(name, JSON.parse(JSON.stringify(value))),
      clear: (name) => void this.state.delete(name),
      run: (_name, action) => durable(Promise.race([action(), this.#cancellation()])),
      request: () => ({ id, attemptCompletedSignal: new AbortController().signal }),
      resolveAwakeable: (id, payload) => this.complete(id, JSON.stringify(payload)),
      sleep: (ms) => durable(new Promise((resolve) => this.sleeps.push({ ms, end: () => resolve() }))),
      awakeable: <Value>(serde: Serde<Value>) => {
        const id = `awakeable-${this.#awakeables.size + 1}`;
        const completed = new Promise<unknown>((resolve, reject) =>
          this.#awakeables.set(id, { resolve, reject }),
        );
        const read = completed.then((text) => serde.deserialize(new TextEncoder().encode(text as string)));
        return { id, promise: durable(read) };
      },
      genericCall: <Result>(call: { method: string; parameter: unknown; idempotencyKey?: string }) => {
        if (call.method === 'take') return durable(this.#take(call)) as DurablePromise<Result>;
        const request = JSON.parse(JSON.stringify(call.parameter)) as AttemptRequest;
        this.requests.push(request);
        const attempt = this.#attempts.shift();
        if (!attempt) throw new Error('More attempts than the test expects');
        return durable(attempt(request) as Promise<Result>);
      },
    };
  }

  /** Calls with one idempotency key are one. */
  async #take({ parameter, idempotencyKey = '' }: { parameter: unknown; idempotencyKey?: string }) {
    const isNew = !this.#taken.has(idempotencyKey);
    if (isNew) this.#taken.set(idempotencyKey, takeAnswer(this.context, parameter as never));
    return this.#taken.get(idempotencyKey);
  }

  #cancellation(): Promise<never> {
    return new Promise((_resolve, reject) => (this.cancel = () => reject(new CancelledError())));
  }
}
