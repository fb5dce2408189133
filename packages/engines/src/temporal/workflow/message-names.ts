// The names of the messages that workflows take. They are strings, so that programs in any language can send them.

/** The names of the signals, updates and queries. */
export const TURN_MESSAGES = {
  /** Signal and update: a turn for the conversation. The update returns the outcome of the turn. */
  send: 'inboardSend',
  /** Update: waits for the outcome of a turn that was sent. */
  outcome: 'inboardOutcome',
  /** Signal and update: the answer of a person. The update refuses an answer to a question that is not open. */
  answer: 'inboardAnswer',
  /** Signal: a pending call was completed. */
  wake: 'inboardWake',
  /** Signal: a person stopped the turn with this id, or the first one. */
  stop: 'inboardStop',
  /** Query: the open questions. */
  questions: 'inboardQuestions',
  /** Query: the calls whose results come later. */
  pending: 'inboardPending',
  /** Query: where the conversation stands. */
  state: 'inboardState',
} as const;

/** The types of the failures that activities, updates and turns end with. They are strings, so that programs in any language can read them. */
export const TURN_FAILURES = {
  /** The worker has no such agent, or the options of the agent cannot be used. Temporal tries again, because a deployment mends it. */
  agentUnusable: 'InboardAgentUnusable',
  /** The turn or its answers are wrong. It fails for good. */
  invalidTurn: 'InvalidOptionsError',
  /** A newer attempt has the conversation. Temporal tries again. */
  attemptLost: 'InboardAttemptLost',
  /** The worker shut down, or Temporal ended the attempt. Temporal tries again. */
  attemptEnded: 'InboardAttemptEnded',
  /** The attempt returned more than a history takes. It fails for good. */
  attemptTooLarge: 'InboardAttemptTooLarge',
  /** The turn has failed. The first detail has the `type` of the failure that ended it. */
  turnFailed: 'InboardTurnFailed',
  /** The turn is wrong, is not known, or there is no room for it. */
  turnRefused: 'InboardTurnRefused',
  /** The answer is wrong or too large, or no such question is open. */
  answerRefused: 'InboardAnswerRefused',
  /** Many wait for outcomes already. Ask again later. */
  outcomesBusy: 'InboardOutcomesBusy',
  /** A new run of the workflow goes on. Ask again. */
  movedOn: 'InboardMovedOn',
} as const;
