// The types of call records: the facts about calls of in-process tools. With them, a call that was cut off gets its true
// result after a restart. Every place that keeps facts has this interface: memory, a file beside the transcript, a
// session store, the journal of a cluster.
import type { CanUseToolOptions, PermissionResult } from '../control/permission-question.js';

/** A tool's result in the form of MCP's `CallToolResult`, as plain JSON. */
export type RecordedResult = {
  content?: unknown[];
  structuredContent?: unknown;
  isError?: boolean;
  [field: string]: unknown;
};

/** The call that a fact is about. */
export interface RecordedCall {
  /** The key of the call, which stays the same after a restart. */
  callKey: string;
  /** The id that the model gave the call. */
  toolUseId?: string | undefined;
  /** The tool's name as the model knows it. */
  toolName: string;
  /** The input that the model asked for. */
  input: Record<string, unknown>;
}

/** What the CLI said about a call when it asked whether it may run. */
export type RecordedQuestion = Omit<
  CanUseToolOptions,
  'signal' | 'callKey' | 'attempt' | 'requestId' | 'toolUseID' | 'sessionId'
>;

/**
 * What another process needs to convert and check the value of a pending call as if the handler had returned it. `server` and
 * `tool` are the names of the tool and its server.
 */
export interface PendingOutput {
  server: string;
  tool: string;
  /** The JSON Schema of the tool's `outputSchema`, if it has one. */
  schema?: Record<string, unknown> | undefined;
}

/** One thing that happened to a call. Facts are added and never changed. `at` is in milliseconds since 1970. */
export type CallFact =
  /**
   * The process with the name `owner` records every call of an in-process tool that begins in the turn of this user
   * message. `cli` is the CLI process that writes the transcript. If `message` is empty, the fact only names that process.
   */
  | { type: 'covers'; message: string; owner?: string | undefined; cli?: string | undefined; at: number }
  /** A permission question was asked about the call. */
  | ({ type: 'asked'; question: RecordedQuestion; at: number } & RecordedCall)
  /**
   * The question was answered. `by` says who answered, if that is known. `withoutCli` is set if the CLI that asked was
   * certainly gone by then.
   */
  | {
      type: 'answered';
      callKey: string;
      answer: PermissionResult;
      by?: string | undefined;
      withoutCli?: boolean | undefined;
      at: number;
    }
  /**
   * Its handler is about to run, in the process with the name `owner`. `ranInput` is the input that it runs with, if that
   * is not `input`.
   */
  | ({
      type: 'begun';
      ranInput?: Record<string, unknown> | undefined;
      attempt: number;
      owner: string;
      at: number;
    } & RecordedCall)
  /** Its handler waits for a person. It has not done anything yet that must not happen twice. */
  | { type: 'waiting'; callKey: string; at: number }
  /** Its handler goes on after a wait. */
  | { type: 'working'; callKey: string; at: number }
  /** Its handler was cancelled because its process no longer goes on with the conversation. How far it got is not known. */
  | { type: 'left'; callKey: string; at: number }
  /**
   * Its handler returned `pending()`. The result comes later, perhaps from another process. The first `ended` or `withdrawn`
   * after this fact counts.
   */
  | {
      type: 'pending';
      callKey: string;
      note?: string | undefined;
      output?: PendingOutput | undefined;
      at: number;
    }
  /** Its handler said how far it has got. */
  | {
      type: 'progress';
      callKey: string;
      progress: number;
      total?: number | undefined;
      message?: string | undefined;
      at: number;
    }
  /**
   * Its handler has ended. For a pending call: it was completed or failed, `by` says by whom, and `completion` tells two
   * attempts to complete it apart.
   */
  | {
      type: 'ended';
      callKey: string;
      result: RecordedResult;
      by?: string | undefined;
      completion?: string | undefined;
      at: number;
    }
  /** The question about it was removed, or has expired. For a pending call: its turn was stopped, so no result is taken. */
  | { type: 'withdrawn'; callKey: string; at: number };

/** The right to complete the calls of a session. One process has it at a time, and must release it. */
export interface CallClaim {
  /** Prolongs the claim. False when it is lost: then nothing may be written any more. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/** Says which other process has the claim. */
export interface HeldClaim {
  heldBy: string;
  /** When the claim expires, in milliseconds since 1970. It ends sooner if its process is found dead. */
  until: number;
}

/** Keeps the facts about the calls of one session. */
export interface CallRecords {
  /**
   * Whether another part of the program adds the facts, such as the worker of a cluster. A conversation then only reads
   * them. Default: false.
   */
  readonly readOnly?: boolean | undefined;
  /** Adds a fact. When it returns, or its promise resolves, the fact outlives this process. */
  add(fact: CallFact): void | Promise<void>;
  /** All facts, in the order in which they were added. */
  load(): Promise<CallFact[]>;
  /** Takes the claim for `ttlMs`, or tells who has it. */
  claim(options: { owner: string; ttlMs: number }): Promise<CallClaim | HeldClaim>;
  /**
   * Calls `onChange` when facts may have been added, by any process, until the returned function is called. Optional:
   * without it, records are loaded again every few seconds while a result is pending.
   */
  watch?(onChange: () => void): () => void;
}
