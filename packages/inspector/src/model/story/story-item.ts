// The story of a session as data: what was asked, thought, called and answered, in order. Types only; `story.ts` tells it.
import type { CompletedCall } from '@inboard/core/wire/protocol/messages/completed-call.js';
import type { QuestionOutcome } from '../../stream/inspector-event.js';
import type { QuestionKind } from '../../stream/question.js';
import type { TokenCount } from '../session-summary.js';

/** An image or another part of a message that is not text. */
export interface MediaPart {
  type: 'image' | 'file';
  mediaType: string;
  /** Base64; undefined where it was cut for the page: ask for the whole event by `n`. */
  data: string | undefined;
  bytes: number;
}

/** A part of what a tool returned. */
export type OutputPart = { type: 'text'; text: string } | MediaPart | { type: 'json'; value: unknown };

interface ItemBase {
  /** Stable, for lists. */
  key: string;
  /** The event it began with. */
  n: number;
  t: number;
  /** How deep in subagents; 0 is the main conversation. */
  depth: number;
  /** Whether something of it was cut for the page: the whole is asked for by `n`, or by `resultN` of a call. */
  isCut?: boolean | undefined;
}

/** What the program or a person said. */
export interface PromptItem extends ItemBase {
  kind: 'prompt';
  text: string;
  media: MediaPart[];
  /** The id by which files can be rewound to this moment. */
  messageId: string | undefined;
  /** Whether the CLI said it by itself, as after a compaction. */
  isFromCli?: boolean | undefined;
}

/** What the model wrote or thought, as far as it has come. */
export interface TextItem extends ItemBase {
  kind: 'text' | 'thinking';
  text: string;
  isStreaming: boolean;
  /** Whether the stream broke off before it was whole. */
  isBrokenOff?: boolean | undefined;
  /** Whether the CLI wrote it in the model's place, as the API failed. */
  isError?: boolean | undefined;
  endT: number | undefined;
}

/** The question before a call, and who decided. */
export interface PermissionStep {
  id: string;
  askedT: number;
  settledT: number | undefined;
  outcome: QuestionOutcome | undefined;
  by: string | undefined;
  message: string | undefined;
  isEdited: boolean;
  /** What the tool got, where it was edited and somebody saw it. */
  input?: Record<string, unknown> | undefined;
}

/** A tool call, from the model's first piece of it to its result. */
export interface CallItem extends ItemBase {
  kind: 'call';
  toolUseId: string;
  /** As the model says it. */
  toolName: string;
  /** Undefined for tools of the CLI. */
  server: string | undefined;
  /** Without `mcp__server__`. */
  name: string;
  /** Undefined while its JSON is still coming: `inputText` is what came of it. */
  input: Record<string, unknown> | undefined;
  inputText: string;
  output: OutputPart[];
  state: 'streaming' | 'asking' | 'running' | 'done' | 'failed' | 'denied' | 'cut';
  /** `here` in this process, else in the CLI. */
  runsHere: boolean;
  permission: PermissionStep | undefined;
  /** When the handler began; undefined where it did not, or nobody saw it. */
  handlerT: number | undefined;
  handlerMs: number | undefined;
  endT: number | undefined;
  /** The event with its result. */
  resultN?: number | undefined;
  /** What it says of itself while it runs. */
  progress?: string | undefined;
  /** What a subagent reported, as the CLI tells it without the words around it. */
  report?: string | undefined;
  /** The hook that refused it, and why. */
  blockedBy?: { hook: string; reason: string } | undefined;
  /** Whether the conversation goes on while it runs. */
  isBackground?: boolean | undefined;
  /** Set where it was cut off with its CLI or its host, and got its result before the next CLI was started. */
  completed?: CompletedCall | undefined;
  /** What a subagent did for it. */
  children: StoryItem[];
  /** Set where it is a subagent: its kind. */
  agent: string | undefined;
}

/** A question that belongs to no call. */
export interface QuestionItem extends ItemBase {
  kind: 'question';
  questionKind: QuestionKind;
  id: string;
  title: string;
  settledT: number | undefined;
  outcome: QuestionOutcome | undefined;
  by: string | undefined;
  message: string | undefined;
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
  /** More of it, for those who want to know. */
  detail?: string | undefined;
  isError: boolean;
}

/** The end of a turn. */
export interface AnswerItem extends ItemBase {
  kind: 'answer';
  /** The result's text; the same as the last text of the model in most turns. */
  text: string;
  /** Whether the same text stands above it. */
  isRepeated: boolean;
  ok: boolean;
  /** Whether somebody ended the turn: no success, and no fault. */
  isInterrupted?: boolean | undefined;
  /** The value that was asked for by a schema. */
  output?: unknown;
  /** As in `success`, `error_max_turns`. */
  subtype: string;
  turns: number;
  durationMs: number;
  /** Of this turn alone. */
  costUsd: number | undefined;
  tokens: TokenCount;
}

/** One thing in the story. */
export type StoryItem = PromptItem | TextItem | CallItem | QuestionItem | MarkItem | AnswerItem;
