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
  /** Signal: a person stopped the turn that is at work. */
  stop: 'inboardStop',
  /** Query: the open questions. */
  questions: 'inboardQuestions',
  /** Query: the calls whose results come later. */
  pending: 'inboardPending',
  /** Query: where the conversation stands. */
  state: 'inboardState',
} as const;

/** The type of the failure of an update that must be sent again, because a new run of the workflow goes on. */
export const MOVED_ON = 'InboardMovedOn';
