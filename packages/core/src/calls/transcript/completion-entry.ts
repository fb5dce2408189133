// Creates the entries that complete the calls of a transcript. Their ids are derived from the session and the call or
// reply, so an entry that is written again, by this process or another, has the same id.
import { deriveUuid } from '../../util/derive-uuid.js';
import { asString } from '../../util/guards.js';
import { withoutUndefined } from '../../util/without-undefined.js';
import { copiedCallId, copiedReplyId } from '../../record/history/transcript/copied-call.js';
import type { Entry } from '../../record/history/transcript/transcript-lines.js';
import type { SessionStoreEntry } from '../../wire/protocol/config/session-store.js';
import { blocksOf, bodyOf } from '../../wire/protocol/messages/message-content.js';
import type { TranscriptNode } from './transcript-index.js';

/** The result of a call for the model: the parts of a `tool_result` block. */
export interface CallResult {
  content: string | unknown[];
  is_error?: true | undefined;
  /** The CLI's copy beside the block, for programs. */
  toolUseResult?: unknown;
  /** Further fields of the transcript entry. */
  entryFields?: Record<string, unknown> | undefined;
}

/** Fields that every added result and every copy of a reply has. */
interface Stamp {
  sessionId: string;
  parentUuid: string | null;
  timestamp: string;
}

/** Fields of the call's entry about the folder and the program. The entry with the result gets the same values. */
const SURROUNDINGS = ['userType', 'entrypoint', 'cwd', 'version', 'gitBranch', 'slug'];
/** Fields about one block of a reply. The copy, which has all blocks of the reply, does not get them. */
const OF_ONE_BLOCK = new Set(['apiBlockIndex', 'toolInputStreamMs']);

/** The uuid of the entry with a call's result. */
export function resultUuid(sessionId: string, toolUseId: string): string {
  return deriveUuid(`result ${sessionId} ${toolUseId}`);
}

/** The uuid of the entry with the copy of a reply. `messageId` is the id of the copy. */
export function copyUuid(sessionId: string, messageId: string): string {
  return deriveUuid(`reply ${sessionId} ${messageId}`);
}

/** The entry with the result of a call, as the CLI writes it. */
export function createResultEntry(
  call: { toolUseId: string; entry: Entry; promptId: unknown },
  result: CallResult,
  { sessionId, parentUuid, timestamp }: Stamp,
): SessionStoreEntry {
  const { content, is_error, toolUseResult } = result;
  const block = withoutUndefined({ tool_use_id: call.toolUseId, type: 'tool_result', content, is_error });
  return {
    parentUuid,
    isSidechain: false,
    ...withoutUndefined({ promptId: call.promptId }),
    type: 'user',
    message: { role: 'user', content: [block] },
    uuid: resultUuid(sessionId, call.toolUseId),
    timestamp,
    ...withoutUndefined({ toolUseResult }),
    ...result.entryFields,
    sourceToolAssistantUUID: call.entry['uuid'],
    ...pickSurroundings(call.entry),
    sessionId,
  };
}

/** Copies a whole reply under other ids. The copy is one entry, so that a crash cannot leave only a part of it. */
export function createReplyCopy(
  messageId: string,
  parts: readonly TranscriptNode[],
  { sessionId, parentUuid, timestamp }: Stamp,
): SessionStoreEntry {
  const entries = parts.map(({ location }) => location.entry);
  // Only the last entry of a reply has the fields about its end.
  const last = entries.at(-1) ?? {};
  const content = entries.flatMap((entry) =>
    blocksOf(entry).map((block) =>
      block['type'] === 'tool_use' ? { ...block, id: copiedCallId(asString(block['id']) ?? '') } : block,
    ),
  );
  const id = copiedReplyId(messageId);
  return {
    ...Object.fromEntries(Object.entries(last).filter(([field]) => !OF_ONE_BLOCK.has(field))),
    type: 'assistant',
    parentUuid,
    isSidechain: false,
    message: { ...bodyOf(last), id, content },
    uuid: copyUuid(sessionId, id),
    timestamp,
    sessionId,
  };
}

/** The entry that tells the CLI from which entry to go on. */
export function createLeafNote(lastPrompt: string, leafUuid: string, sessionId: string): SessionStoreEntry {
  return { type: 'last-prompt', lastPrompt, leafUuid, sessionId };
}

/** The fields of an entry about the folder and the program. */
export function pickSurroundings(entry: Entry): Entry {
  return Object.fromEntries(SURROUNDINGS.flatMap((field) => (field in entry ? [[field, entry[field]]] : [])));
}
