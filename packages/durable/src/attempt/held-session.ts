// Opens the session of a conversation whose transcript is held elsewhere, under a fence or a lease: with the options of its agent, and
// those that only its keeper may set. Attempts and the workers of a cluster do so.
import type { AroundTool } from '@inboard/core/answer/mcp/tool/tool-events.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import { openSession, type Session } from '@inboard/core/verbs/conversation/open-session.js';
import type { SessionStore } from '@inboard/core/wire/protocol/config/session-store.js';
import type { CanUseTool } from '@inboard/core/wire/protocol/control/permission-question.js';
import type { FoundTurn } from './turn-start.js';

/** How a session starts: in a new conversation, after a finished turn, or in the middle of a turn. */
export type HeldSessionStart = Extract<FoundTurn, { found: 'new' | 'resumed' | 'continued' }>['found'];

export interface HeldSessionInput {
  readonly start: HeldSessionStart;
  readonly sessionId: string;
  /** The agent's options. */
  readonly own: QueryOptions;
  readonly store: SessionStore;
  readonly projectKey: string;
  /** Asks people, unless the agent decides itself who is asked. */
  readonly canUseTool: CanUseTool;
  readonly aroundTool: AroundTool;
}

/** The options of the session. */
export function heldSessionOptions(input: HeldSessionInput): QueryOptions {
  const { start, sessionId, own, store, projectKey, canUseTool, aroundTool } = input;
  // A tool of the agent's is asked instead of people, or nobody is.
  const asksOthers = own.permissionPromptToolName !== undefined || own.permissionPrompts === 'none';
  return {
    ...own,
    ...(asksOthers ? {} : { canUseTool: own.canUseTool ?? canUseTool }),
    aroundTool,
    sessionStore: store,
    sessionStoreFlush: 'eager',
    projectKey,
    whenHostDies: 'kill',
    ...(start === 'new' ? { sessionId } : { resume: sessionId }),
  };
}

/** Opens a session with such options, which begins the conversation, resumes it, or continues its last turn. */
export function openHeldSession(options: QueryOptions, start: HeldSessionStart): Session {
  return openSession({
    options,
    oneByOne: true,
    ...(start === 'continued' ? { interrupted: 'continue' } : {}),
  });
}
