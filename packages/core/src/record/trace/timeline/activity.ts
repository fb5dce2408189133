// An activity of a session, and the events that show it. Types only; `activity-follower` finds activities.
import type { TraceEvent } from '../trace-event.js';

/** The shares of time. A moment counts for the first that is under way, or for `idle`. The reasons are in `time-shares`. */
export const SHARE_ORDER = ['permission', 'code', 'hooks', 'cliTools', 'model', 'overhead'] as const;

/** One of the shares, or `idle`. */
export type ShareName = (typeof SHARE_ORDER)[number] | 'idle';

/** A number for each of them, from 0 on. */
export function createShares(): Record<ShareName, number> {
  return { permission: 0, code: 0, hooks: 0, cliTools: 0, model: 0, overhead: 0, idle: 0 };
}

/**
 * `start`: a CLI starts. `ending`: it was told to end. `turn`: from a prompt to its result. `model`: a request to a
 * model. `call`: a tool call, from the model's words to its result. `agent`: a subagent works. `question`: a person or
 * a callback is asked. `handler`: a tool of the program runs. `hook`: a callback of the program runs. `server`: the
 * program answers another MCP message. `command`: a hook command that the CLI runs. `request`: a request to the CLI.
 * `compaction` and `retry`: as their names say.
 */
export type ActivityKind =
  | 'start'
  | 'ending'
  | 'turn'
  | 'model'
  | 'call'
  | 'agent'
  | 'question'
  | 'handler'
  | 'hook'
  | 'server'
  | 'command'
  | 'request'
  | 'compaction'
  | 'retry';

/** A part of an answer of the model: what it wrote, and when. */
export interface WritingPhase {
  kind: 'thinking' | 'text' | 'input';
  start: number;
  end: number;
}

/** Something with a beginning, and an end once it has come. */
export interface Activity {
  readonly kind: ActivityKind;
  /** The name of the tool, of the hook's event, or of the method. */
  readonly name: string;
  readonly start: number;
  /** Undefined while it lasts. */
  end: number | undefined;
  /** The number of the event it began with, and of the one that ended it. */
  readonly from: number;
  to: number | undefined;
  /** The call of the subagent it belongs to; null for the main conversation. */
  readonly parent: string | null;
  readonly toolUseId: string | undefined;
  isError: boolean;
  /** Whether the answer to a question was no. */
  isDenied: boolean;
  /** Whether the turn or the CLI ended before the activity did. */
  isCut: boolean;
  /**
   * The share of its time; undefined where other activities count it. For a call it changes when the call starts to
   * run.
   */
  share: ShareName | undefined;
  /** The parts of a model's answer, as far as pieces of it were seen. */
  phases: WritingPhase[] | undefined;
}

/** Called when activities begin and end. */
export interface ActivityListener {
  begin(activity: Activity): void;
  end(activity: Activity): void;
}

/** An event that shows what is under way: those of a trace, and those that the inspector adds. */
export type TimedEvent =
  | TraceEvent
  | { type: 'opened'; t: number; startedAt: string }
  | { type: 'pieces'; t: number; parent: string | null; kind: WritingPhase['kind'] }
  | {
      type: 'asked';
      t: number;
      question: { id: string; kind: string; subject: string; toolUseId?: string | undefined };
    }
  | { type: 'settled'; t: number; id: string }
  | { type: 'warning' | 'over'; t: number };
