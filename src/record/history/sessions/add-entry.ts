// Adds one entry to the end of a past session, in its transcript or in a store.
import { randomUUID } from '../../../util/random-uuid.js';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { SessionStoreEntry } from '../../../wire/protocol/config/session-store.js';
import type { SessionMutationOptions } from '../../../wire/protocol/config/past-sessions.js';
import { checkProjectKey } from '../arguments.js';
import { appendStored, findStoreKey } from '../store/stored-entries.js';
import { requireTranscript } from '../folders/transcript-location.js';
import { encodeEntries } from '../transcript/transcript-lines.js';

export async function addEntry(
  sessionId: string,
  entry: SessionStoreEntry,
  options: SessionMutationOptions | undefined,
): Promise<void> {
  const { dir, sessionStore, projectKey, env } = options ?? {};
  checkProjectKey({ sessionStore, projectKey });
  if (sessionStore) {
    const stamped = { ...entry, uuid: randomUUID(), timestamp: new Date().toISOString() };
    await appendStored(sessionStore, await findStoreKey({ sessionId, dir, projectKey }), [stamped]);
    return;
  }
  await appendLine((await requireTranscript(sessionId, dir, env)).path, encodeEntries([entry]));
}

async function appendLine(path: string, line: string): Promise<void> {
  // Appended after whatever the CLI may be writing at this moment. Never created: a session deleted meanwhile must not
  // come back as a title without a conversation.
  const file = await open(path, constants.O_RDWR | constants.O_APPEND);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    // After a crash the last line may have no end; two entries on one line would both be lost.
    const isOpen = bytesRead === 1 && buffer[0] !== 0x0a;
    await file.write(isOpen ? `\n${line}` : line);
  } finally {
    await file.close();
  }
}
