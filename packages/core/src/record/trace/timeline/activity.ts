// Something that is under way in a session, and the events that tell of it. `activity-follower.ts` finds them.
import type { TraceEvent } from '../trace-event.js';

/** What a moment is counted for, the first that is under way; `idle` when nothing is. The reasons stand in `time-shares.ts`. */
export const SHARE_ORDER = ['permission', 'code', 'hooks', 'cliTools', 'model', 'overhead'] as const;

/** One of them, or none. */
export type ShareName = (typeof SHARE_ORDER)[number] | 'idle';

/** A number for each of them, from 0 on. */
export function createShares(): Record<ShareName, number> {
  return { permission: 0, code: 0, hooks: 0, cliTools: 0, model: 0, overhead: 0, idle: 0 };
}

/**
 * `start`: a CLI starts. `ending`: it was told to end. `turn`: from a prompt to its result. `model`: a model was asked. `call`: a
 * tool call, from the model's words to its result. `agent`: a subagent lives. `question`: somebody is asked. `handler`: a tool
 * of the program runs. `hook`: a callback of it. `server`: it answers another message of MCP. `command`: a hook that the CLI
 * runs. `request`: the CLI was asked for something. `compaction` and `retry`: what they say.
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

/** A part of an answer of the model: what it wrote when. */
export interface WritingPhase {
  kind: 'thinking' | 'text' | 'input';
  start: number;
  end: number;
}

/** Something with a beginning, and an end once it has come. */
export interface Activity {
  readonly kind: ActivityKind;
  /** The tool, the event of the hook, the method. */
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
  /** Of a question: the answer was no. */
  isDenied: boolean;
  /** It did not come to its end: the turn or the CLI ended first. */
  isCut: boolean;
  /** What its time is counted for; undefined where others say that. Of a call, it changes when the call starts to run. */
  share: ShareName | undefined;
  /** Of a model's answer, what it wrote when, as far as pieces of it were seen. */
  phases: WritingPhase[] | undefined;
}

/** Told of what begins and ends, each at once. */
export interface ActivityListener {
  begin(activity: Activity): void;
  end(activity: Activity): void;
}

/** An event as far as it tells what is under way: those of a trace, and what the inspector adds to them. */
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
