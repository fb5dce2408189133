// Opens the session of an attempt: the agent's options, and those that only the attempt may set.
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import type { KnownCalls } from '@inboard/core/record/calls/fold-facts.js';
import { openSession, type Session } from '@inboard/core/verbs/conversation/open-session.js';
import type { AttemptQuestions } from './attempt-questions.js';
import type { WorkStart } from './attempt-transcript.js';
import { LEDGER_PROJECT_KEY, type HeldStore } from './held-store.js';
import { createAroundTool } from './repeated-calls.js';

export interface AttemptSessionInput {
  readonly start: WorkStart;
  readonly sessionId: string;
  /** The agent's options. */
  readonly own: QueryOptions;
  /** What earlier attempts recorded about the turn's calls. */
  readonly known: KnownCalls;
  readonly store: HeldStore;
  readonly questions: AttemptQuestions;
  /** Throws once the attempt must not run anything any more. */
  readonly demand: () => void;
}

/** Opens a session that begins the conversation, resumes it, or continues its last turn. */
export function openAttemptSession(input: AttemptSessionInput): Session {
  const { start, sessionId, own, known, store, questions, demand } = input;
  // A tool of the agent's is asked instead of people, or nothing is asked.
  const asksOthers = own.permissionPromptToolName !== undefined || own.permissionPrompts === 'none';
  return openSession({
    options: {
      ...own,
      ...(asksOthers ? {} : { canUseTool: own.canUseTool ?? questions.canUseTool }),
      aroundTool: createAroundTool({ known, demand, aroundTool: own.aroundTool }),
      sessionStore: store,
      sessionStoreFlush: 'eager',
      projectKey: LEDGER_PROJECT_KEY,
      whenHostDies: 'kill',
      ...(start === 'new' ? { sessionId } : { resume: sessionId }),
    },
    oneByOne: true,
    ...(start === 'continued' ? { interrupted: 'continue' } : {}),
  });
}
