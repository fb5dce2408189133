// The items of a session's story: prompts, thoughts, calls and answers. Types only; `story.ts` makes them.
import type { TraceEnd } from '@inboard/core/record/trace/trace-event.js';
import type { CompletedCall } from '@inboard/core/wire/protocol/messages/completed-call.js';
import type { QuestionOutcome } from '../../stream/inspector-event.js';
import type { PersonQuestionKind } from '../../stream/question.js';
import type { TokenCount } from '../session-summary.js';

/** An image or another part of a message that is not text. */
export interface MediaPart {
  type: 'image' | 'file';
  mediaType: string;
  /** Base64; undefined if the event has none, for example because it was cut for the page. */
  data: string | undefined;
  bytes: number;
}

/** A part of what a tool returned. */
export type OutputPart = { type: 'text'; text: string } | MediaPart | { type: 'json'; value: unknown };

interface ItemBase {
  /** Stays the same, so that lists recognize the item. */
  key: string;
  /** The number of the event that shows the item: its first one, or the one with its complete text or input. */
  n: number;
  t: number;
  /** How many subagents the item is nested in; 0 in the main conversation. */
  depth: number;
  /** Whether a part of it was cut for the page. The whole can be read by `n`, or by `resultN` of a call. */
  isCut?: boolean | undefined;
}

/** A prompt of the program or a person. */
export interface PromptStoryItem extends ItemBase {
  kind: 'prompt';
  text: string;
  media: MediaPart[];
  /** The id by which files can be rewound to this moment. */
  messageId: string | undefined;
  /** The number of the turn that it began, from 1; undefined until one has. */
  turn?: number | undefined;
  /** Whether the CLI wrote it by itself, as after a compaction. */
  isFromCli?: boolean | undefined;
}

/** A text or thought of the model, as far as it has arrived. */
export interface TextItem extends ItemBase {
  kind: 'text' | 'thinking';
  text: string;
  isStreaming: boolean;
  /** Whether the stream broke off before the text was complete. */
  isBrokenOff?: boolean | undefined;
  /** Whether the CLI wrote it in place of the model, because the API failed. */
  isError?: boolean | undefined;
  endT: number | undefined;
}

/** The question whether a call may run, and its answer. */
export interface PermissionStep {
  id: string;
  askedT: number;
  settledT: number | undefined;
  outcome: QuestionOutcome | undefined;
  by: string | undefined;
  message: string | undefined;
  isEdited: boolean;
}

/** The wait for the result of a pending call. */
export interface PendingStep {
  /** The key by which any process can complete the call. */
  callKey: string | undefined;
  note: string | undefined;
  t: number;
  settledT?: number | undefined;
  outcome?: QuestionOutcome | undefined;
  by?: string | undefined;
}

/** A tool call, from the model's first piece of it to its result. */
export interface CallItem extends ItemBase {
  kind: 'call';
  toolUseId: string;
  /** The name the model uses. */
  toolName: string;
  /** Undefined for tools of the CLI. */
  server: string | undefined;
  /** Without `mcp__server__`. */
  name: string;
  /** The input that the model asked for. Undefined while its JSON streams; `inputText` is the part that has arrived. */
  input: Record<string, unknown> | undefined;
  inputText: string;
  /** The input that it ran with or is to run with, if a person or a hook changed it. */
  ranInput?: Record<string, unknown> | undefined;
  output: OutputPart[];
  state: 'streaming' | 'asking' | 'running' | 'pending' | 'done' | 'failed' | 'denied' | 'cut';
  /** Whether the program runs it, not the CLI. */
  runsHere: boolean;
  /** When the model had written it whole: from then on its time counts. Undefined if no message shows it. */
  madeT?: number | undefined;
  permission: PermissionStep | undefined;
  /** When the handler began; undefined if it did not, or if no event shows it. */
  handlerT: number | undefined;
  handlerMs: number | undefined;
  endT: number | undefined;
  /** The event with its result. */
  resultN?: number | undefined;
  /** Its last progress report. */
  progress?: string | undefined;
  /** The report of a subagent, without the text that the CLI puts around it. */
  report?: string | undefined;
  /** The hook that refused it, and why. */
  blockedBy?: { hook: string; reason: string } | undefined;
  /** Whether the conversation continues while it runs. */
  isBackground?: boolean | undefined;
  /** Set if its handler returned before there was a result, which comes later. */
  pending?: PendingStep | undefined;
  /** Set if the call was cut off with its CLI or with the program, and was completed before the next CLI was started. */
  completed?: CompletedCall | undefined;
  /** The items of the subagent that it started. */
  children: StoryItem[];
  /** The kind of subagent that it started, if any. */
  agent: string | undefined;
}

/** A question that belongs to no call. */
export interface QuestionItem extends ItemBase {
  kind: 'question';
  questionKind: PersonQuestionKind;
  id: string;
  title: string;
  settledT: number | undefined;
  outcome: QuestionOutcome | undefined;
  by: string | undefined;
  message: string | undefined;
}

/** What is known of a CLI that ended by itself, or of a session that failed. */
export interface Crash extends Partial<Pick<TraceEnd, 'signal' | 'stderrTail' | 'error'>> {
  /** The call that was last begun; undefined if there was none. */
  call: CallItem | undefined;
  /** The CLI's id of the conversation; undefined if it has not told one. */
  sessionId: string | undefined;
}

/** Something that happened to the session. */
export interface MarkItem extends ItemBase {
  kind: 'mark';
  what:
    | 'start'
    | 'restart'
    | 'compaction'
    | 'retry'
    | 'interrupt'
    | 'model'
    | 'mode'
    | 'hook'
    | 'task'
    | 'warning'
    | 'fault'
    | 'gap'
    | 'note'
    | 'end';
  text: string;
  detail?: string | undefined;
  isError: boolean;
  /** What is known of a crash; undefined for any other mark. */
  crash?: Crash | undefined;
}

/** The end of a turn. */
export interface AnswerItem extends ItemBase {
  kind: 'answer';
  /** The result's text, or its errors. In most turns it is the same as the last text of the model. */
  text: string;
  /** Whether the last text of the model, which the story also shows, is the same. */
  isRepeated: boolean;
  ok: boolean;
  /** Whether the turn was interrupted, which is neither a success nor an error. */
  isInterrupted?: boolean | undefined;
  /** The structured output, if a schema asked for one. */
  output?: unknown;
  /** For example `success` or `error_max_turns`. */
  subtype: string;
  turns: number;
  /** From its prompt, as in all views. */
  durationMs: number;
  /** The cost of this turn alone, in US dollars. */
  costUsd: number | undefined;
  tokens: TokenCount;
}

/** One thing in the story. */
export type StoryItem = PromptStoryItem | TextItem | CallItem | QuestionItem | MarkItem | AnswerItem;
