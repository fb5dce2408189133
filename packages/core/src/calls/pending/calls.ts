// The types of what `createCalls()` makes: the pending calls of sessions, for any process that has their records.
import type { Environment } from '../../wire/process/operating-system.js';
import type { SessionStore } from '../../wire/protocol/config/session-store.js';

/** Where the records of the calls are. Give what the host of the conversations has. */
export interface CallsOptions {
  /** The session store of the conversations, if they have one. */
  sessionStore?: SessionStore | undefined;
  /** The project's key in the store. Default: made of `dir`. */
  projectKey?: string | undefined;
  /** The working directory of the sessions. Default: all projects on this machine, and this directory with a store. */
  dir?: string | undefined;
  /** The environment that names the config folder of the sessions. Default: that of this process. */
  env?: Environment | undefined;
  /** Looks at this session alone. It is needed with a store that cannot list its sessions. */
  sessionId?: string | undefined;
}

/** A call whose handler returned `pending()` and which has no result yet. */
export interface PendingCall {
  /** The address for `complete()` and `fail()`. It is no secret: a program that takes it from outside must check who sends it. */
  callKey: string;
  sessionId: string;
  /** The tool's name as the model knows it. */
  toolName: string;
  input: Record<string, unknown>;
  /** What the handler gave to `pending()`. */
  note?: string;
  /** When the handler returned, in milliseconds since 1970. */
  since: number;
}

/** One change of the pending calls. */
export type PendingChange =
  | { type: 'pending'; call: PendingCall }
  /** `failed`: its result is an error. `withdrawn`: its turn was stopped, or its session deleted. */
  | { type: 'settled'; call: PendingCall; how: 'completed' | 'failed' | 'withdrawn'; by?: string };

/** Completes pending calls, and lists them. Works in any process that has the records of the sessions. */
export interface Calls {
  /**
   * Gives a pending call its result: a value as its handler would have returned it. Resolves when the result is recorded;
   * the conversation gets it as soon as it looks, or when it is opened again. Rejects with a CallError if the call is
   * unknown, over or not pending, or if the value does not fit.
   */
  complete(callKey: string, value: unknown, options?: CompleteOptions): Promise<void>;
  /** Gives a pending call an error as its result, as if its handler had thrown it. Rejects like `complete`. */
  fail(callKey: string, error: Error | string, options?: CompleteOptions): Promise<void>;
  /** The pending calls, those that wait longest first. */
  list(): Promise<PendingCall[]>;
  /** The pending calls, and then every change, until the loop is left or the signal aborts. */
  watch(options?: WatchCallsOptions): AsyncIterableIterator<PendingChange>;
}

/** How a call is completed. */
export interface CompleteOptions {
  /** Who completes it, for the records and for those that come too late. */
  by?: string | undefined;
}

/** How pending calls are watched. */
export interface WatchCallsOptions {
  /** Ends the loop when it aborts. */
  signal?: AbortSignal | undefined;
}
