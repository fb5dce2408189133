// The types that say on whose behalf a journal is asked, who asks, and what to list.
import type { JournalQuestion } from './journal-question.js';
import type { ConversationState, TurnWait } from './records.js';

/** On whose behalf a journal is asked. */
export interface TenantScope {
  /**
   * Limits the request to this tenant. Everything that belongs to another tenant, or to none, is treated as unknown. Default:
   * no limit.
   */
  tenant?: string | undefined;
}

/** Who does something, for the audit. */
export interface Caller {
  /** Who does it: at most 1,000 characters. The audit has this name. Default: the audit has no name. */
  by?: string | undefined;
}

/** On whose behalf something is done, and who does it. */
export interface CallerScope extends TenantScope, Caller {}

/** Which conversations to list. They are sorted by key, and begin behind the key in `after`. */
export interface ConversationFilter {
  tenant?: string | undefined;
  state?: ConversationState | undefined;
  /**
   * True for conversations whose last turn failed, whatever they do now, and for those whose turn under way is tried again. Closed
   * ones are left out unless `state` asks for them. False for all others.
   */
  failed?: boolean | undefined;
  /** Only those whose turn waits for this. */
  waitsFor?: TurnWait | undefined;
  after?: string | undefined;
  /** Default 100. */
  limit?: number | undefined;
}

/** Which questions to list, oldest first. */
export interface QuestionFilter {
  id?: string | undefined;
  key?: string | undefined;
  tenant?: string | undefined;
  /** Includes answered questions. Default false. */
  answered?: boolean | undefined;
  /**
   * Lists only questions behind this one. Pass the last question of one page to get the next page. If that question is gone by
   * now, others of the same millisecond may be listed again, but none is left out.
   */
  after?: Pick<JournalQuestion, 'askedAt' | 'id'> | undefined;
  /** Default: all of them. */
  limit?: number | undefined;
}
