// Changes past sessions: titles, tags, the archive mark, deletion. A title or tag is one more entry at the end of the
// transcript, and earlier entries stay.
import { rm } from 'node:fs/promises';
import { InvalidOptionsError } from '../../../errors.js';
import { requireShape, anyText } from '../../../util/option-shapes.js';
import type { SessionMutationOptions } from '../../../wire/protocol/config/past-sessions.js';
import { writeArchived } from './archive-mark.js';
import { checkProjectKey, checkSessionId } from '../arguments.js';
import { callStore, type StoreCall } from '../store/call-store.js';
import { findStoreKey } from '../store/stored-entries.js';
import { findCompanionFolder, requireTranscript } from '../folders/transcript-location.js';
import { addEntry } from './add-entry.js';

/** Gives a session a title. Lists show the title instead of the first prompt. */
export async function renameSession(
  sessionId: string,
  title: string,
  options?: SessionMutationOptions,
): Promise<void> {
  checkSessionId(sessionId);
  const customTitle = checkText(title, 'title').trim();
  if (customTitle === '') throw new InvalidOptionsError(['title'], 'title must be non-empty');
  await addEntry(sessionId, { type: 'custom-title', customTitle, sessionId }, options);
}

/** Tags a session; null removes its tag. */
export async function tagSession(
  sessionId: string,
  tag: string | null,
  options?: SessionMutationOptions,
): Promise<void> {
  checkSessionId(sessionId);
  const clean = tag === null ? '' : cleanTag(checkText(tag, 'tag'));
  if (tag !== null && clean === '') {
    throw new InvalidOptionsError(['tag'], 'tag must be non-empty (use null to clear)');
  }
  await addEntry(sessionId, { type: 'tag', tag: clean, sessionId }, options);
}

/** Marks a session as archived. The mark ends with the next prompt of a person. Not for sessions in a store. */
export async function archiveSession(sessionId: string, options?: SessionMutationOptions): Promise<void> {
  await markArchived(sessionId, true, options);
}

/** Clears the archive mark of a session. Not for sessions in a store. */
export async function unarchiveSession(sessionId: string, options?: SessionMutationOptions): Promise<void> {
  await markArchived(sessionId, false, options);
}

/** Deletes a session with its subagents. A store without a `delete` method keeps the session. */
export async function deleteSession(sessionId: string, options?: SessionMutationOptions): Promise<void> {
  checkSessionId(sessionId);
  const { dir, sessionStore, projectKey, env } = options ?? {};
  checkProjectKey({ sessionStore, projectKey });
  if (sessionStore) {
    const key = await findStoreKey({ sessionId, dir, projectKey });
    const deleting: StoreCall = { store: sessionStore, operation: 'delete', sessionId, keepsErrors: true };
    await callStore(deleting, () => sessionStore.delete?.(key));
    return;
  }
  const transcript = await requireTranscript(sessionId, dir, env);
  // The transcript is removed last. Until then the session can be found, so a failed deletion can be tried again.
  await rm(findCompanionFolder(transcript), { recursive: true, force: true });
  await rm(transcript.path, { force: true });
}

async function markArchived(
  sessionId: string,
  archived: boolean,
  options: SessionMutationOptions | undefined,
): Promise<void> {
  checkSessionId(sessionId);
  if (options?.sessionStore) {
    throw new InvalidOptionsError(
      ['sessionStore'],
      'Archiving is not supported with sessionStore: ' +
        'a SessionStore holds transcript entries, and the archive mark is not one of them',
    );
  }
  checkProjectKey(options ?? {});
  const transcript = await requireTranscript(sessionId, options?.dir, options?.env);
  await writeArchived(findCompanionFolder(transcript), archived);
}

function checkText(value: unknown, name: string): string {
  requireShape(name, value, anyText, { called: name, end: (given) => `, not ${typeof given}` });
  return value as string;
}

// Tags are compared as texts. So invisible characters are removed, and equivalent forms of a character are made equal.
function cleanTag(tag: string): string {
  return tag
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu, '')
    .trim();
}
