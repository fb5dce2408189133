// `system` messages about the model: retries, refusals, reasoning, and what was added to or removed from its conversation.
import type { SDKSystemEnvelope, Uuid } from './message-values.js';
import type { SDKAssistantMessageError } from './failure-reasons.js';

/** Older turns were replaced by a summary. */
export type SDKCompactBoundaryMessage = SDKSystemEnvelope<'compact_boundary'> & {
  compact_metadata: {
    trigger: 'manual' | 'auto';
    pre_tokens: number;
    post_tokens?: number;
    duration_ms?: number;
    preserved_segment?: { head_uuid: Uuid; anchor_uuid: Uuid; tail_uuid: Uuid };
    preserved_messages?: { anchor_uuid: Uuid; uuids: Uuid[]; all_uuids?: Uuid[] };
    cumulative_dropped_tokens?: number;
  };
  logical_parent_uuid?: Uuid;
};

/** An API call failed and will be tried again. */
export type SDKAPIRetryMessage = SDKSystemEnvelope<'api_retry'> & {
  attempt: number;
  max_retries: number;
  retry_delay_ms: number;
  /** HTTP status; null when there was no answer. */
  error_status: number | null;
  error: SDKAssistantMessageError;
  /** Set when the API did not answer for a while. */
  no_response?: { waited_ms: number; retry_wait_ms: number };
};

/** The model declined and another one takes over, or the first model takes over again. */
export type SDKModelRefusalFallbackMessage = SDKSystemEnvelope<'model_refusal_fallback'> & {
  trigger: 'refusal';
  direction: 'retry' | 'revert' | 'sticky';
  scope?: 'local' | 'session';
  original_model: string;
  fallback_model: string;
  request_id: string | null;
  api_refusal_category?: string | null;
  api_refusal_explanation?: string | null;
  /** Messages to remove from the display. */
  retracted_message_uuids?: string[];
  refused_user_message_uuid?: string | null;
  content: string;
};

/** The model declined and no other one may take over. */
export type SDKModelRefusalNoFallbackMessage = SDKSystemEnvelope<'model_refusal_no_fallback'> & {
  original_model: string;
  request_id: string | null;
  api_refusal_category?: string | null;
  api_refusal_explanation?: string | null;
  refused_user_message_uuid?: string | null;
  content: string;
};

/** An estimate of the tokens used by the reasoning in progress. */
export type SDKThinkingTokensMessage = SDKSystemEnvelope<'thinking_tokens'> & {
  estimated_tokens: number;
  estimated_tokens_delta: number;
  user_message_uuid?: string;
};

/** Stored memories were added to the conversation. */
export type SDKMemoryRecallMessage = SDKSystemEnvelope<'memory_recall'> & {
  mode: 'select' | 'synthesize';
  memories: Array<{ path: string; scope: 'organization' | 'personal' | 'team'; content?: string }>;
};
