// The messages of the conversation itself: the model's output and input, and reports on a turn that is running.
import type { MessageParam } from '../api/api-input.js';
import type { TextBlockParam } from '../api/api-input-blocks.js';
import type { ApiMessage } from '../api/api-message.js';
import type { RawMessageStreamEvent } from '../api/api-stream.js';
import type { CompletedCall } from './completed-call.js';
import type { SDKContextUsage, SDKUsageReport } from './usage-report.js';
import type { SDKMessageEnvelope, OpenString, SDKMessageOrigin, Uuid } from './message-values.js';
import type { SDKAssistantMessageError } from './failure-reasons.js';

/** Output of the model. Each line holds one block; the lines of one API message share `message.id`. */
export type SDKAssistantMessage = SDKMessageEnvelope & {
  type: 'assistant';
  message: ApiMessage;
  /** The tool call whose subagent wrote the message; null for the main conversation. */
  parent_tool_use_id: string | null;
  /** Why the API call failed, if this message stands for a failed call. */
  error?: SDKAssistantMessageError;
  is_api_error_message?: boolean;
  api_error_status?: number | null;
  api_error_type?: string | null;
  request_id?: string;
  aborted?: true;
  resumed_from_incomplete_thinking?: true;
  /** The messages that this one replaces. */
  supersedes?: Uuid[];
  agent_id?: string;
  subagent_type?: string;
  task_description?: string;
  timestamp?: string;
  /** The uuid of the user message that this message answers, if that had one. */
  user_message_uuid?: string;
  user_message_uuids?: string[];
  resume_reason?: string;
  context_usage?: SDKContextUsage;
  usage_report?: SDKUsageReport;
  tool_use_meta?: unknown;
  thinking_duration_ms?: number;
  thinking_display?: string;
};

/** Input of the model: prompts that the host sends, and tool results and synthetic notes that the CLI reports. */
export type SDKUserMessage = {
  type: 'user';
  message: MessageParam;
  /** The tool call whose subagent receives the message; null for the main conversation. */
  parent_tool_use_id: string | null;
  /** Whether the CLI wrote the message, and not a person. */
  isSynthetic?: boolean;
  /**
   * Set on a result that Inboard added and the CLI did not send. Its call was cut off, and Inboard completed it before a
   * CLI was started again.
   */
  completed?: CompletedCall;
  /** The tool's result in the tool's own structure. */
  tool_use_result?: unknown;
  tool_result_meta?: unknown;
  /** When the CLI reads a message that was sent during a turn. */
  priority?: 'now' | 'next' | 'later';
  origin?: SDKMessageOrigin;
  /** False adds the message to the conversation without asking for an answer. */
  shouldQuery?: boolean;
  timestamp?: string;
  /** Whether the text is used literally, without file mentions and slash commands. */
  client_composed?: true;
  pasted_content?: Array<MessageParam['content'] | TextBlockParam[]>;
  inline_pastes?: string[];
  /** Set it to find the message again in `user_message_uuids` of the results. */
  uuid?: Uuid;
  session_id?: string;
  agent_id?: string;
  subagent_type?: string;
  task_description?: string;
};

/** A user message that the CLI repeats. It is one of a resumed session, or one that the host has just sent. */
export type SDKUserMessageReplay = Omit<SDKUserMessage, 'uuid' | 'session_id'> &
  SDKMessageEnvelope & { isReplay: true; file_attachments?: unknown[] };

/** A raw event of the API call in progress; sent only with `includePartialMessages`. */
export type SDKPartialAssistantMessage = SDKMessageEnvelope & {
  type: 'stream_event';
  event: RawMessageStreamEvent;
  parent_tool_use_id: string | null;
  api_message_id?: string;
  thinking_display?: string;
  /** Milliseconds to the first token, on the event that carries it. */
  ttft_ms?: number;
  user_message_uuid?: string;
  user_message_uuids?: string[];
  resume_reason?: string;
};

/** A tool call is still running. */
export type SDKToolProgressMessage = SDKMessageEnvelope & {
  type: 'tool_progress';
  tool_use_id: string;
  tool_name: string;
  parent_tool_use_id: string | null;
  elapsed_time_seconds: number;
  task_id?: string;
  /** True for the message that comes about every 30 seconds and only says that the call is still running. */
  heartbeat?: boolean;
  subagent_type?: string;
  subagent_retry?: {
    agent_id: string;
    attempt: number;
    max_retries: number;
    retry_delay_ms: number;
    error_status: number | null;
    error_category: string;
  };
};

/** A short text that sums up the preceding tool calls. */
export type SDKToolUseSummaryMessage = SDKMessageEnvelope & {
  type: 'tool_use_summary';
  summary: string;
  preceding_tool_use_ids: string[];
};

/** A prompt that the user might send next. It comes after the result, so keep iterating to get it. */
export type SDKPromptSuggestionMessage = SDKMessageEnvelope & {
  type: 'prompt_suggestion';
  suggestion: string;
};

/** The state of a user message that had a `uuid`. Not part of the `SDKMessage` union, but may appear on the stream. */
export type SDKCommandLifecycleMessage = SDKMessageEnvelope & {
  type: 'command_lifecycle';
  /** The user message's `uuid`. */
  command_uuid: string;
  state: OpenString<'queued' | 'started' | 'completed' | 'cancelled'>;
};

/** The conversation was cleared; later messages belong to a new one. */
export type SDKConversationResetMessage = SDKMessageEnvelope & {
  type: 'conversation_reset';
  new_conversation_id: Uuid;
  trigger?: 'clear' | 'fresh_session' | 'onboarding' | 'plan_mode_exit';
  user_message_uuid?: string;
  timestamp?: string;
};
