// What is recorded of the calls of in-process tools, so that a call which was cut off gets its true result after a restart. One
// contract for every place that keeps it: memory, a file beside the transcript, a session store, the journal of a cluster. Types only.
import type { CanUseToolOptions, PermissionResult } from '../control/permission-question.js';

/** What a tool gave, in the form of MCP's `CallToolResult`, as plain JSON. */
export type RecordedResult = {
  content?: unknown[];
  structuredContent?: unknown;
  isError?: boolean;
  [field: string]: unknown;
};

/** A call, as its facts name it. */
export interface RecordedCall {
  /** The same before and after a restart. */
  callKey: string;
  /** The id that the model gave the call. */
  toolUseId?: string | undefined;
  /** The name the model knows. */
  toolName: string;
  /** What the model asked for. */
  input: Record<string, unknown>;
}

/** What the CLI said about a call when it asked whether it may run. */
export type RecordedQuestion = Omit<
  CanUseToolOptions,
  'signal' | 'callKey' | 'attempt' | 'requestId' | 'toolUseID' | 'sessionId'
>;

/** One thing that happened to a call; facts are added and never changed. `at` is in milliseconds since the epoch. */
export type CallFact =
  /** Every call of an in-process tool that begins in the turn of this user message is recorded, by the process called `owner`; `cli` is the process that has the transcript. An empty message tells only that. */
  | { type: 'covers'; message: string; owner?: string | undefined; cli?: string | undefined; at: number }
  /** Somebody is asked whether it may run. */
  | ({ type: 'asked'; question: RecordedQuestion; at: number } & RecordedCall)
  /** Somebody has decided. `by` is who, where that is known; `withoutCli` is set where it is certain that the CLI which asked was gone by then. */
  | {
      type: 'answered';
      callKey: string;
      answer: PermissionResult;
      by?: string | undefined;
      withoutCli?: boolean | undefined;
      at: number;
    }
  /** Its handler is about to run, in the process called `owner`. `ranInput` is what it runs with, where that is not `input`. */
  | ({
      type: 'begun';
      ranInput?: Record<string, unknown> | undefined;
      attempt: number;
      owner: string;
      at: number;
    } & RecordedCall)
  /** Its handler waits for a person, and has done nothing yet that must not be done twice. */
  | { type: 'waiting'; callKey: string; at: number }
  /** Its handler goes on after it has waited. */
  | { type: 'working'; callKey: string; at: number }
  /** Its handler was cancelled, because nobody here goes on with the conversation: how far it got is not known. */
  | { type: 'left'; callKey: string; at: number }
  /** Its handler has ended. */
  | { type: 'ended'; callKey: string; result: RecordedResult; at: number }
  /** The question about it was removed, or has expired. */
  | { type: 'withdrawn'; callKey: string; at: number };

/** The right to complete the calls of a session: one process has it at a time. Whoever took it releases it. */
export interface CallClaim {
  /** Prolongs it; false when it is lost, and nothing may be written any more. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/** Who has the claim, where somebody else has it. */
export interface HeldClaim {
  heldBy: string;
  /** When it runs out, in milliseconds since the epoch; sooner if its process is found dead. */
  until: number;
}

/** Keeps the facts about the calls of one session. */
export interface CallRecords {
  /** Whether somebody else adds the facts, as the worker of a cluster does; a conversation then only reads them. Default false. */
  readonly readOnly?: boolean | undefined;
  /** Adds a fact. When it returns, or its promise resolves, the fact outlives this process. */
  add(fact: CallFact): void | Promise<void>;
  /** All facts, in the order in which they were added. */
  load(): Promise<CallFact[]>;
  /** Takes the claim for `ttlMs`, or tells who has it. */
  claim(options: { owner: string; ttlMs: number }): Promise<CallClaim | HeldClaim>;
}
