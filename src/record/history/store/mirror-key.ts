// From the file the CLI has written to the place of its entries in a store.
import type { SessionKey } from '../../../wire/protocol/control/session-payload.js';

// Greedy, because the config folder may itself lie in a folder called `projects`.
const TRANSCRIPT = /^.*\/projects\/([^/]+)\/([^/]+?)(?:\/(.+))?\.jsonl$/;

/** The key for a transcript file; undefined for any other file. */
export function findMirrorKey(filePath: unknown): SessionKey | undefined {
  if (typeof filePath !== 'string') return undefined;
  const [, projectKey, sessionId, subpath] = TRANSCRIPT.exec(filePath.replaceAll('\\', '/')) ?? [];
  if (projectKey === undefined || sessionId === undefined) return undefined;
  return subpath === undefined ? { projectKey, sessionId } : { projectKey, sessionId, subpath };
}
