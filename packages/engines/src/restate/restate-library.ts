// What is used of `@restatedev/restate-sdk`, an optional peer that is loaded with the first conversations. It needs Node 22.
import { PartLoadError } from '@inboard/core/errors.js';
import { prepareEngineLibrary } from '../turn/engine-library.js';

/** A promise that Restate can wait for without a process. It may only be combined by Restate. */
export interface DurablePromise<Value> extends Promise<Value> {
  map<Mapped>(mapper: (value?: Value, failure?: Error) => Mapped): DurablePromise<Mapped>;
}

/** What anybody can complete once who has its id. */
export interface Awakeable<Value> {
  readonly id: string;
  readonly promise: DurablePromise<Value>;
}

/** How a value is kept in the journal. */
export interface Serde<Value> {
  readonly contentType?: string;
  serialize(value: Value): Uint8Array;
  deserialize(data: Uint8Array): Value;
}

/** What a handler gets that can only read the state of its object. */
export interface SharedContext {
  readonly key: string;
  get(name: string): Promise<unknown>;
  run<Value>(name: string, action: () => Promise<Value>): DurablePromise<Value>;
  resolveAwakeable(id: string, payload: unknown): void;
  /** `id` is that of the invocation, which stays the same when it is retried. */
  request(): { readonly id: string; readonly attemptCompletedSignal: AbortSignal };
  genericCall<Result>(call: {
    service: string;
    method: string;
    key: string;
    parameter: unknown;
    inputSerde: Serde<unknown>;
    outputSerde: Serde<Result>;
    idempotencyKey?: string;
  }): DurablePromise<Result>;
}

/** What a handler gets that has its object to itself. */
export interface ExclusiveContext extends SharedContext {
  set(name: string, value: unknown): void;
  clear(name: string): void;
  sleep(ms: number): DurablePromise<void>;
  awakeable<Value>(serde: Serde<Value>): Awakeable<Value>;
}

interface HandlerOptions {
  inactivityTimeout?: number;
  abortTimeout?: number;
  journalRetention?: number;
  ingressPrivate?: boolean;
}

/** The parts of `@restatedev/restate-sdk` that are used here. */
export interface RestateLibrary {
  object(definition: {
    name: string;
    handlers: Record<string, unknown>;
    options: { asTerminalError(error: unknown): Error | undefined };
  }): { name: string };
  readonly handlers: {
    readonly object: {
      exclusive(
        options: HandlerOptions,
        run: (context: ExclusiveContext, input: unknown) => Promise<unknown>,
      ): unknown;
      shared(
        options: HandlerOptions,
        run: (context: SharedContext, input: unknown) => Promise<unknown>,
      ): unknown;
    };
  };
  readonly RestatePromise: {
    race<Value>(promises: ReadonlyArray<DurablePromise<Value>>): DurablePromise<Value>;
  };
  readonly TerminalError: new (message: string, options?: { errorCode?: number }) => Error;
  readonly CancelledError: new () => Error;
}

const OF = 'conversations()';
const NAME = '@restatedev/restate-sdk';

const loadLibrary = prepareEngineLibrary<RestateLibrary>(
  { of: OF, name: NAME, install: `npm install ${NAME}@^1.17.0`, room: 8 },
  (importModule) =>
    importModule(() => import('@restatedev/restate-sdk') as unknown as Promise<RestateLibrary>),
);

/** Loads the SDK of Restate. Rejects with a PartLoadError that says what to do if it is not installed, or if Node is too old for it. */
export async function loadRestate(): Promise<RestateLibrary> {
  // The SDK would fail in the middle of the first turn.
  if ('withResolvers' in Promise) return await loadLibrary();
  throw new PartLoadError(
    'PART_UNREADABLE',
    NAME,
    `${OF} needs Node 22 or newer, because the package "${NAME}" does. This is ${process.version}.`,
    { retryable: false },
  );
}
