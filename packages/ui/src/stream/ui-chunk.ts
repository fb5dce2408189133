// The types of the chunks that we send, which are part of the AI SDK's UI message stream. They are our own types, and a test
// project compares them with those of the package `ai`. Types only.

/** Why a message ended. */
export type UiFinishReason =
  'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'interrupted' | 'other';

/** JSON as the AI SDK types it. */
export type UiJson = null | string | number | boolean | UiJson[] | { [name: string]: UiJson | undefined };

/** Facts that this package adds to a part, under the package's name. */
export type UiProviderMetadata = Record<string, { [name: string]: UiJson | undefined }>;

/** Facts about an answer besides its parts. They become the `messageMetadata` of the message. */
export interface UiMetadata {
  /** The id of the session, for `options.resume`. */
  sessionId?: string | undefined;
  model?: string | undefined;
  /** The tokens of this answer alone, subagents included. */
  usage?: UiUsage | undefined;
  /** What this answer cost, in US dollars. */
  costUsd?: number | undefined;
  /** What the conversation has cost up to here, in US dollars. */
  totalCostUsd?: number | undefined;
  durationMs?: number | undefined;
}

/** Tokens by kind; `totalTokens` is the sum of the others. */
export interface UiUsage {
  inputTokens: number;
  outputTokens: number;
  cacheReadInputTokens: number;
  cacheCreationInputTokens: number;
  totalTokens: number;
}

/** The description of a question for a person, besides the input of the call. */
export interface UiApprovalDescriptor {
  /** `permission`: the tool wants to run. `held`: it runs, and its handler asks. */
  kind: 'permission' | 'held';
  title?: string | undefined;
  description?: string | undefined;
  /** For a held question: the value that the person is to confirm. */
  input?: unknown;
  /** How often it was asked, starting at 1; more than 1 means that there was a restart. */
  attempt: number;
  /** The path outside the allowed folders that led to the question. */
  blockedPath?: string | undefined;
  /** Whether "No" should be preselected. */
  defaultToNo?: boolean | undefined;
  /** Set when a subagent asks. */
  agentId?: string | undefined;
}

/** The activity of the CLI besides the answer. It is the data of a `data-status` chunk. */
export type UiStatus =
  | { status: 'compacting' }
  | { status: 'compacted' }
  | { status: 'retrying'; attempt: number; maxRetries: number; delayMs: number };

/** One chunk of the stream. Narrow it by `type`. */
export type UiChunk =
  | { type: 'start'; messageId?: string; messageMetadata?: unknown }
  | { type: 'start-step' }
  | { type: 'finish-step' }
  /** Takes back what was sent since the last `start-step`: the model's answer broke off and is requested again. */
  | { type: 'reset-step' }
  | { type: 'text-start'; id: string }
  | { type: 'text-delta'; id: string; delta: string }
  | { type: 'text-end'; id: string }
  | { type: 'reasoning-start'; id: string }
  | { type: 'reasoning-delta'; id: string; delta: string }
  | { type: 'reasoning-end'; id: string }
  | {
      type: 'tool-input-start';
      toolCallId: string;
      toolName: string;
      dynamic: true;
      providerExecuted?: boolean;
    }
  | { type: 'tool-input-delta'; toolCallId: string; inputTextDelta: string }
  | {
      type: 'tool-input-available';
      toolCallId: string;
      toolName: string;
      input: unknown;
      dynamic: true;
      providerExecuted?: boolean;
      /**
       * How and by whom the call was completed, and whether its input was edited, if that happened after its CLI or its host
       * had gone.
       */
      providerMetadata?: UiProviderMetadata;
    }
  | {
      type: 'tool-input-error';
      toolCallId: string;
      toolName: string;
      input: unknown;
      errorText: string;
      dynamic: true;
    }
  | {
      type: 'tool-approval-request';
      approvalId: string;
      toolCallId: string;
      reason?: string;
      approvalDescriptor?: UiApprovalDescriptor;
    }
  | { type: 'tool-approval-response'; approvalId: string; approved: boolean; reason?: string }
  | {
      type: 'tool-output-available';
      toolCallId: string;
      output: unknown;
      dynamic: true;
      preliminary?: boolean;
      providerExecuted?: boolean;
    }
  | { type: 'tool-output-error'; toolCallId: string; errorText: string; dynamic: true }
  | { type: 'tool-output-denied'; toolCallId: string }
  | { type: 'source-url'; sourceId: string; url: string; title?: string }
  | { type: 'source-document'; sourceId: string; mediaType: string; title: string }
  | { type: 'file'; url: string; mediaType: string; providerMetadata?: UiProviderMetadata }
  /** The structured output of the answer (option `output`), as the model gave it. */
  | { type: 'data-output'; data: unknown }
  | { type: 'data-status'; data: UiStatus; transient: true }
  | { type: 'message-metadata'; messageMetadata: unknown }
  | { type: 'finish'; finishReason?: UiFinishReason; messageMetadata?: unknown }
  | { type: 'abort'; reason?: string }
  | { type: 'error'; errorText: string };
