// The types of activities of a session, and of the events that show them. `activity-follower` finds activities.
import type { TraceEvent } from '../trace-event.js';

/** The shares of time. A moment counts for the first of them that is under way. `time-shares` gives the reasons. */
export const SHARE_ORDER = ['permission', 'code', 'hooks', 'cliTools', 'model', 'overhead'] as const;

/** One of the shares, or `idle` for a moment in which nothing is under way. */
export type ShareName = (typeof SHARE_ORDER)[number] | 'idle';

/** A number for each share and for `idle`, all 0. */
export function createShares(): Record<ShareName, number> {
  return { permission: 0, code: 0, hooks: 0, cliTools: 0, model: 0, overhead: 0, idle: 0 };
}

/**
 * `start`: a CLI starts. `ending`: it was told to end. `turn`: from a prompt to its result. `model`: a request to a
 * model. `call`: a tool call, from the model's message to its result. `agent`: a subagent works. `question`: a person or
 * the callback in their place is asked. `handler`: a tool of the program runs. `hook`: a hook callback of the program
 * runs. `server`: the program answers another MCP message. `command`: the CLI runs a hook command. `request`: a request
 * to the CLI. `compaction`: the CLI compacts the conversation. `retry`: the pause before the next attempt.
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

/** A part of an answer of the model: what kind of content it wrote, and when. */
export interface WritingPhase {
  kind: 'thinking' | 'text' | 'input';
  start: number;
  end: number;
}

/** Something that takes time in a session. It has an end once it is over. */
export interface Activity {
  readonly kind: ActivityKind;
  /** The name of the tool, of the hook's event, or of the method. */
  readonly name: string;
  readonly start: number;
  /** Undefined while the activity lasts. */
  end: number | undefined;
  /** The numbers of the event that began the activity, and of the event that ended it. */
  readonly from: number;
  to: number | undefined;
  /** The call of the subagent that the activity belongs to; null for the main conversation. */
  readonly parent: string | null;
  readonly toolUseId: string | undefined;
  isError: boolean;
  /** Whether a question was answered with a denial. */
  isDenied: boolean;
  /** Whether the activity was cut off: it was cancelled, or its agent, its turn or the CLI ended first. */
  isCut: boolean;
  /**
   * The share that its time counts for; undefined if other activities count the time. The share of a call changes when
   * the call starts to run.
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

/** An event that shows what is under way. Besides the events of a trace, it can be one that the inspector adds. */
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
  | { type: 'warning' | 'suspended' | 'over'; t: number };
