// The kinds of sessions that an inspector sees. They have a file of their own because the page in the browser uses
// them too.

/** A query, a conversation, or a CLI that waits for its prompt. */
export type LiveKind = 'query' | 'conversation' | 'warm';
