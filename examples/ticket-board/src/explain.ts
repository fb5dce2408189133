// Failures in the words of the person who reads them in a chat or on the page.
import { RunError, SessionClosedError, type Outcome } from 'inboard';

/** By the status of the API, or the code of an error. */
const WORDS: Readonly<Record<string, string>> = {
  401: 'The model refuses the key: check ANTHROPIC_API_KEY and start the server again.',
  429: 'The model gets too many requests at the moment. Wait a minute, then send your message again.',
  529: 'The model is overloaded at the moment. Wait a minute, then send your message again.',
  SQLITE_BUSY: 'The database is locked by another program. Try again in a moment.',
  SESSION_CLOSED: 'Stopped. What was staged has been withdrawn.',
  EXECUTABLE_NOT_FOUND: 'The Claude CLI is missing: run "npm install @anthropic-ai/claude-code".',
  MESSAGE_IGNORED: 'The server was stopped while the agent answered. Please ask again.',
};

export function explainError(given: unknown): string {
  // The end of a session names what ended it.
  const error = given instanceof SessionClosedError && given.cause ? given.cause : given;
  if (!(error instanceof Error)) return String(error);
  const code =
    error instanceof RunError ? (error.outcome as Outcome).apiErrorStatus : 'code' in error && error.code;
  return WORDS[String(code)] ?? error.message;
}
