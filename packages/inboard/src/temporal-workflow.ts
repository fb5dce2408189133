// The entry point `inboard/temporal/workflow`: turns in workflows of Temporal. It is bundled for Temporal's sandbox, so it imports
// `@temporalio/workflow` and nothing else. Experimental: it may change in a minor release.
export { TURN_FAILURES, TURN_MESSAGES } from '@inboard/engines/temporal/workflow/message-names.js';
export {
  conversationWorkflow,
  receiveAnswers,
  runTurn,
} from '@inboard/engines/temporal/workflow/workflows.js';
export type {
  CarriedConversation,
  EndedTurn,
  NextEnd,
  TemporalConversation,
  ConversationMessage,
  TemporalConversationState,
  TurnReport,
} from '@inboard/engines/temporal/workflow/conversation-facts.js';
export type {
  ConversationSettings,
  SettingsChange,
} from '@inboard/engines/temporal/workflow/conversation-settings.js';
export type { TurnActivitySettings } from '@inboard/engines/temporal/workflow/drive-turn.js';
export type { CarriedTurn } from '@inboard/engines/temporal/workflow/open-turn.js';
export type { AnswerState, TurnAnswers } from '@inboard/engines/temporal/workflow/turn-answers.js';
export type {
  Duration,
  RetrySettings,
  TurnPriority,
} from '@inboard/engines/temporal/workflow/workflow-library.js';
