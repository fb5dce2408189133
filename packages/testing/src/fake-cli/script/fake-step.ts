// The types of the steps of a fake CLI's script. Steps are plain data. `build-steps`, `build-faults` and
// `build-by-hand` build them, and `player/play-step` plays them.
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { Reply, ToolUseOptions } from '../../script/reply.js';
import type { ScriptAnswer, ScriptContext } from '../../script/script-context.js';

/** Something a step waits for: a promise that the test settles. */
export type Until = PromiseLike<unknown>;

/** How the fake CLI calls a tool. */
export type ToolCallOptions = Omit<ToolUseOptions, 'inputJson'>;

/** A tool and its input, for `useTools`. */
export interface ToolCall extends ToolCallOptions {
  /** The tool's name for the model: `mcp__server__tool`, or the name of a built-in tool. */
  readonly name: string;
  readonly input?: Readonly<Record<string, unknown>>;
}

/** How a turn ends. Without any fields, the turn succeeds. */
export interface TurnEnd {
  /** The subtype of the result. Default `success`. */
  readonly subtype?: string;
  /** The text of the result. Default: that of `apiError` or `structuredOutput`, or else the last text of the turn. */
  readonly text?: string;
  readonly isError?: boolean;
  readonly errors?: readonly string[];
  /** The model's reason to stop, such as `refusal` or `max_tokens`. */
  readonly stopReason?: string | null;
  /** The failure of the API. The CLI then sends a synthetic message and a result that is an error. */
  readonly apiError?: { readonly status: number | null; readonly type?: string; readonly message: string };
  /** The structured output of the result. Unless `text` is given, it is also the text of the result, as JSON. */
  readonly structuredOutput?: unknown;
  /** Fields of the result that are sent as they are. They replace all others of the same name. */
  readonly fields?: WireObject;
}

/** A task in the background. */
export interface TaskStart {
  /** The id by which `finishTask` names the task. Default: a random one. */
  readonly id?: string;
  /** While an agent runs, the session is not idle. A shell does not matter. */
  readonly type: 'agent' | 'shell';
  readonly description?: string;
}

/** One step, as data. */
export type FakeStep =
  | { readonly do: 'reply'; readonly reply: Reply }
  | { readonly do: 'say'; readonly text: string | readonly string[] }
  | { readonly do: 'think'; readonly text: string }
  | { readonly do: 'useTools'; readonly calls: readonly ToolCall[]; readonly together: boolean }
  | {
      readonly do: 'askPermission';
      readonly tool: string;
      readonly input: WireObject;
      readonly fields: WireObject;
      readonly cancelWhen?: Until;
    }
  | {
      readonly do: 'fireHook';
      readonly event: string;
      readonly input: WireObject;
      readonly cancelWhen?: Until;
    }
  | { readonly do: 'ask'; readonly request: WireObject; readonly cancelWhen?: Until }
  | { readonly do: 'startTask'; readonly task: TaskStart }
  | {
      readonly do: 'finishTask';
      readonly id: string | undefined;
      readonly status: string;
      readonly summary: string;
    }
  | { readonly do: 'compact' }
  | { readonly do: 'send'; readonly message: WireObject }
  | { readonly do: 'endTurn'; readonly end: TurnEnd }
  | { readonly do: 'expectPrompt'; readonly matcher: PromptMatcher | undefined }
  | { readonly do: 'expectControl'; readonly subtype: string; readonly matcher: RequestTest | undefined }
  | { readonly do: 'expectLine'; readonly matcher: LineMatcher; readonly name: string | undefined }
  | { readonly do: 'expectEnd' }
  | { readonly do: 'respond'; readonly body: WireObject; readonly to: string | undefined }
  | { readonly do: 'raw'; readonly text: string }
  | { readonly do: 'inChunks'; readonly bytes: number; readonly steps: readonly FakeScriptItem[] }
  | { readonly do: 'repeat'; readonly what: 'message' | 'request' | 'response' }
  | { readonly do: 'holdAnswers' }
  | { readonly do: 'releaseAnswers'; readonly order: 'kept' | 'reversed' }
  | { readonly do: 'stall'; readonly until: Until | undefined }
  | {
      readonly do: 'crash';
      readonly code: number | undefined;
      readonly signal: string | undefined;
      readonly stderr: string;
    }
  | { readonly do: 'stderr'; readonly text: string }
  | { readonly do: 'closeInput' }
  | { readonly do: 'closeOutput' }
  | { readonly do: 'stopReading' }
  | { readonly do: 'readOn' }
  | { readonly do: 'ignore'; readonly what: 'SIGTERM' | 'end of input' };

/** What a prompt must match: a text that it contains, a pattern, or a function that decides. */
export type PromptMatcher = string | RegExp | ((prompt: string) => boolean);

/** A test for a control request. */
export type RequestTest = (request: WireObject) => boolean;

/** What a line must match: `user`, the subtype of a control request, fields that it must have, or a function that decides. */
export type LineMatcher = string | WireObject | ((line: WireObject) => boolean);

/** The outcome of a tool call. */
export interface ToolAnswer extends ScriptAnswer {
  /** The MCP result that the host returned. Undefined if the host was not asked, or answered with an error. */
  readonly result: WireObject | undefined;
  /** Why the tool was not called, or gave no result. */
  readonly failure?: 'denied' | 'cancelled' | 'error' | 'unknown tool' | 'input ended';
  /** The progress notifications of the call. */
  readonly progress: readonly WireObject[];
}

/** The argument of a step that is a function. */
export interface FakeContext extends ScriptContext {
  /** The number of this session of the fake, from 0. */
  readonly index: number;
  readonly answer: ToolAnswer;
  readonly answers: readonly ToolAnswer[];
  /**
   * The host's answer to the last `askPermission`, `fireHook`, `elicit` or `ask`. Undefined if the host refused or did
   * not answer.
   */
  readonly reply: unknown;
  /** The line that the last `expectLine` read. Undefined before the first one. */
  readonly line: WireObject | undefined;
  /** The arguments the CLI was started with. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The host's `initialize` request. */
  readonly initialize: WireObject;
}

/** A part of a script: a reply of the model, another step, a list of parts, or a function whose result is played. */
export type FakeScriptItem =
  | Reply
  | FakeStep
  | readonly FakeScriptItem[]
  | ((context: FakeContext) => FakeScriptItem | void | PromiseLike<FakeScriptItem | void>);

/** The argument of a script that is a function. The function is called once for each session. */
export interface FakeSessionStart {
  /** The number of the session, from 0, in the order in which sessions are started. */
  readonly index: number;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * The text of the first prompt. A script that awaits it cannot act before that prompt. Rejects if the session ends
   * without a prompt.
   */
  readonly firstPrompt: Promise<string>;
}

/** What each session plays: the same steps, or the steps that a function returns for the session. */
export type FakeScript =
  | readonly FakeScriptItem[]
  | ((session: FakeSessionStart) => readonly FakeScriptItem[] | PromiseLike<readonly FakeScriptItem[]>);
