// What kinds of sessions an inspector sees; apart, because the page in the browser knows it too.

/** What was started: a query, a conversation, or a CLI that waits for its prompt. */
export type LiveKind = 'query' | 'conversation' | 'warm';
