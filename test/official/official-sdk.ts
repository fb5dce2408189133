// The official functions, loaded from the package that is installed beside this file and nowhere else.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
  SessionSummaryEntry,
} from '../../packages/core/src/wire/protocol/config/session-store.js';
import type { ForkSessionResult } from '../../packages/core/src/wire/protocol/config/past-sessions.js';
import type { SessionReaders } from '../../packages/core/test/record/history/support/session-case.js';

/** All functions about past sessions. */
export interface SessionFunctions extends SessionReaders {
  renameSession: (sessionId: string, title: string, options?: object) => Promise<void>;
  tagSession: (sessionId: string, tag: string | null, options?: object) => Promise<void>;
  archiveSession: (sessionId: string, options?: object) => Promise<void>;
  unarchiveSession: (sessionId: string, options?: object) => Promise<void>;
  deleteSession: (sessionId: string, options?: object) => Promise<void>;
  forkSession: (sessionId: string, options?: object) => Promise<ForkSessionResult>;
  importSessionToStore: (sessionId: string, store: SessionStore, options?: object) => Promise<void>;
  foldSessionSummary: (
    previous: SessionSummaryEntry | undefined,
    key: SessionKey,
    entries: SessionStoreEntry[],
    options?: { mtime?: number },
  ) => SessionSummaryEntry;
}

/** Imports the package. */
export async function loadOfficial(): Promise<SessionFunctions> {
  const path = createRequire(import.meta.url).resolve('@anthropic-ai/claude-agent-sdk');
  return (await import(/* @vite-ignore */ pathToFileURL(path).href)) as SessionFunctions;
}
