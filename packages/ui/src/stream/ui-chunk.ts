// The types of the chunks that are sent. The chunks are a part of the AI SDK's UI message stream. The types are this package's
// own. A test project compares them with those of the package `ai`.

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
  /** The cost of this answer, in US dollars. */
  turnCostUsd?: number | undefined;
  /** The cost of the conversation up to here, in US dollars. */
  totalCostUsd?: number | undefined;
  durationMs?: number | undefined;
}

/** Tokens by kind. `totalTokens` is the sum of the others. */
export interface UiUsage {
  inputTokens: number;
  outputTokens: number;
  cacheReadInputTokens: number;
  cacheCreationInputTokens: number;
  totalTokens: number;
}

/** The description of a question for a person, besides the input of the call. */
export interface UiApprovalDescriptor {
  /** `permission`: the CLI asks before the tool runs. `held`: the tool runs, and its handler asks. */
  kind: 'permission' | 'held';
  title?: string | undefined;
  description?: string | undefined;
  /** For a held question: the value that the person is to confirm. */
  input?: unknown;
  /** Which attempt at asking this is, starting at 1. After a restart it is more than 1. */
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
  /**
   * Takes back everything that was sent since the last `start-step`, because the model's message broke off and is requested
   * again.
   */
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
       * Set if the CLI or the program ended before the call did. Says how the call was completed, who answered, and whether
       * its input was edited.
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
