// Reduces an entry of a transcript to the facts that decide its place in the conversation. These nodes are the index of
// a transcript. They are small, because a transcript may be large.
import { isRecord } from '../../../util/guards.js';
import type { Entry } from './transcript-lines.js';

/** The entries that a compaction kept. They belong after the entry whose id is `anchor`. */
export interface KeptPart {
  readonly anchor: string;
  /** The ids of all kept entries in order, or only those of the first and the last one in the chain. */
  readonly uuids: readonly string[] | { readonly first: string; readonly last: string };
}

/** Which part of a local command a user entry is. The CLI runs a local command without the model. */
export type CommandPart = 'caveat' | 'command' | 'output';

/** An entry in the index. `location` tells where the whole entry is. */
export interface ChainNode<Location = unknown> {
  readonly uuid: string;
  readonly type: string;
  parent: string | undefined;
  /** Whether the entry comes from a subagent or a teammate, so that it is not part of the conversation itself. */
  readonly isAside: boolean;
  readonly isSidechain: boolean;
  readonly isMeta: boolean;
  readonly timestamp: string;
  /** Shared by all entries of one reply of the model. */
  readonly messageId: string | undefined;
  readonly toolUses: readonly string[];
  readonly toolResults: readonly string[];
  readonly keptPart: KeptPart | undefined;
  readonly commandPart: CommandPart | undefined;
  readonly location: Location;
}

const TYPES = ['user', 'assistant', 'system', 'attachment', 'progress'];
const NONE: readonly string[] = [];

/** Makes a node of an entry; undefined for an entry that is part of no conversation. */
export function createChainNode<Location>(entry: Entry, location: Location): ChainNode<Location> | undefined {
  const { type, uuid, parentUuid, message, timestamp } = entry;
  if (typeof type !== 'string' || !TYPES.includes(type) || typeof uuid !== 'string') return undefined;
  const isSidechain = Boolean(entry['isSidechain']);
  const body = isRecord(message) ? message : {};
  return {
    uuid,
    type,
    parent: typeof parentUuid === 'string' && parentUuid !== '' ? parentUuid : undefined,
    isAside: isSidechain || Boolean(entry['teamName']),
    isSidechain,
    isMeta: Boolean(entry['isMeta']),
    timestamp: typeof timestamp === 'string' ? timestamp : '',
    messageId: type === 'assistant' && typeof body['id'] === 'string' ? body['id'] : undefined,
    toolUses: type === 'assistant' ? listIds(body['content'], 'tool_use', 'id') : NONE,
    toolResults: type === 'user' ? listIds(body['content'], 'tool_result', 'tool_use_id') : NONE,
    keptPart: type === 'system' ? readKeptPart(entry) : undefined,
    commandPart: type === 'user' ? readCommandPart(body['content']) : undefined,
    location,
  };
}

function listIds(content: unknown, type: string, field: string): readonly string[] {
  if (!Array.isArray(content)) return NONE;
  const ids = content.flatMap((block: unknown) =>
    isRecord(block) && block['type'] === type ? listText(block[field]) : [],
  );
  return ids.length === 0 ? NONE : ids;
}

/** The text of an id; nothing for an object, which may have no text at all. */
function listText(id: unknown): string[] {
  return typeof id === 'object' && id !== null ? [] : [String(id)];
}

function readCommandPart(content: unknown): CommandPart | undefined {
  const block: unknown = Array.isArray(content)
    ? content.findLast((part: unknown) => isRecord(part) && part['type'] === 'text')
    : undefined;
  const text = isRecord(block) ? block['text'] : content;
  if (typeof text !== 'string' || !text.startsWith('<')) return undefined;
  if (text.startsWith('<local-command-caveat>')) return 'caveat';
  if (text.startsWith('<command-name>')) return 'command';
  return /^<local-command-std(?:out|err)>/.test(text) ? 'output' : undefined;
}

function readKeptPart(entry: Entry): KeptPart | undefined {
  const facts = entry['compactMetadata'];
  if (entry['subtype'] !== 'compact_boundary' || !isRecord(facts)) return undefined;
  const { preservedMessages: messages, preservedSegment: segment } = facts;
  if (isRecord(messages)) {
    const { anchorUuid: anchor, uuids } = messages;
    if (typeof anchor !== 'string' || !Array.isArray(uuids)) return undefined;
    return { anchor, uuids: uuids.flatMap(listText) };
  }
  if (!isRecord(segment)) return undefined;
  const { anchorUuid: anchor, headUuid: first, tailUuid: last } = segment;
  return typeof anchor === 'string' && typeof first === 'string' && typeof last === 'string'
    ? { anchor, uuids: { first, last } }
    : undefined;
}
