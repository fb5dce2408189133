// The names of the messages that workflows take. They are strings, so that programs in any language can send them.

/** The names of the signals, updates and queries. */
export const TURN_MESSAGES = {
  /** Signal and update: a turn for the conversation. The update returns whether it is new: false if this id was sent before. */
  send: 'inboardSend',
  /** Query: what has become of a turn, and the moment from which `nextEnd` waits. */
  outcome: 'inboardOutcome',
  /** Update: waits until the next turn after a moment has ended, and returns what became of it. */
  nextEnd: 'inboardNextEnd',
  /** Signal and update: the answer of a person. The update refuses an answer to a question that is not open. */
  answer: 'inboardAnswer',
  /** Query: whether an answer is the one that counts. */
  answered: 'inboardAnswered',
  /** Signal: a pending call was completed. */
  wake: 'inboardWake',
  /** Signal: a person stopped the turn with this id, or the first one. */
  stop: 'inboardStop',
  /** Signal and update: other settings for a conversation that runs. */
  settings: 'inboardSettings',
  /** Signal: the conversation completes when it has no turn. */
  close: 'inboardClose',
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
  /** The turn is wrong, or there is no room for it. */
  turnRefused: 'InboardTurnRefused',
  /** The answer is wrong or too large, or no such question is open. */
  answerRefused: 'InboardAnswerRefused',
  /** The settings are wrong. */
  settingsRefused: 'InboardSettingsRefused',
  /** Several wait for the end of a turn already, each with an update of its own. Share one by its id, or ask by the query. */
  waitRefused: 'InboardWaitRefused',
} as const;
