// Plans a fork: which entries are copied, and under which new ids. Every reference from one entry to another is
// translated, so that the copy does not depend on the original.
import { randomUUID } from '../../../util/random-uuid.js';
import { InvalidOptionsError, SessionNotFoundError } from '../../../errors.js';
import { isRecord } from '../../../util/guards.js';
import { createChainNode, type ChainNode } from '../transcript/chain-node.js';
import { isMessage, moveKeptParts, walkUp } from '../transcript/conversation-chain.js';
import type { Entry } from '../transcript/transcript-lines.js';

const COPIED = ['user', 'assistant', 'system', 'attachment'];
/** Fields that are valid only in the original: its plan file, its team, the id of the entry with the tool call. */
const DROPPED = ['slug', 'teamName', 'agentName', 'sourceToolAssistantUUID'];

/**
 * Entries of the CLI that apply to the whole session, in the order in which a fork repeats them. `read` returns such an
 * entry without its type and session id.
 */
const STATE_NOTES: ReadonlyArray<{ type: string; read(entry: Entry): Entry | undefined }> = [
  { type: 'atis-latch', read: ({ atis }) => (typeof atis === 'string' ? { atis } : undefined) },
  {
    type: 'tools-used',
    read: ({ tools }) =>
      Array.isArray(tools) ? { tools: tools.filter((tool) => typeof tool === 'string') } : undefined,
  },
];

/** An entry of the original, and whether a compaction cut the conversation there. */
type ForkNode = ChainNode<{ isBoundary: boolean }>;

/** Call `note()` with all entries, then `decide()`, then `copy()` with the same entries again. */
export class ForkPlan {
  readonly forkId = randomUUID();
  readonly #sessionId: string;
  readonly #upToMessageId: string | undefined;
  /** How often each entry occurs, because a transcript may have the same entry twice. */
  readonly #noted = new Map<string, number>();
  readonly #newIds = new Map<string, string>();
  /** The parent of each progress entry. Progress entries are not copied, and their children go to these parents. */
  readonly #parentsOfProgress = new Map<string, unknown>();
  readonly #replacements: unknown[] = [];
  /** The last entry of each type in STATE_NOTES. Entries after the end of the fork count, too. */
  readonly #notes = new Map<string, Entry>();
  /** Filled only when the fork ends at a given message. Otherwise no branch is left out. */
  readonly #nodes: ForkNode[] = [];
  #isBeyondEnd = false;
  #left = 0;

  constructor(source: { sessionId: string; upToMessageId: string | undefined }) {
    this.#sessionId = source.sessionId;
    this.#upToMessageId = source.upToMessageId;
  }

  /** Registers an entry, in the order of the transcript. */
  note(entry: Entry): void {
    if (entry['type'] === 'content-replacement') this.#noteReplacement(entry);
    if (entry['sessionId'] === this.#sessionId) this.#noteState(entry);
    const { uuid } = entry;
    if (this.#isBeyondEnd || typeof uuid !== 'string') return;
    if (this.#upToMessageId !== undefined) {
      const node = createForkNode(entry);
      if (node) this.#nodes.push(node);
    }
    if (entry['isSidechain']) return;
    if (entry['type'] === 'progress') this.#parentsOfProgress.set(uuid, entry['parentUuid']);
    else if (!isCopied(entry)) return;
    else this.#noted.set(uuid, (this.#noted.get(uuid) ?? 0) + 1);
    if (uuid === this.#upToMessageId) this.#isBeyondEnd = true;
  }

  /** Decides which entries are copied. Throws if there are none, or if the last message to copy was not found. */
  decide(): void {
    if (this.#noted.size === 0) {
      throw new InvalidOptionsError(['sessionId'], `Session ${this.#sessionId} has no messages to fork`);
    }
    if (this.#upToMessageId !== undefined && !this.#isBeyondEnd) {
      throw new SessionNotFoundError(
        this.#sessionId,
        `Message ${this.#upToMessageId} not found in session ${this.#sessionId}`,
        { phase: 'options' },
      );
    }
    const leftOut = this.#findLeftOut();
    for (const [uuid, count] of this.#noted) {
      if (leftOut.has(uuid)) continue;
      this.#newIds.set(uuid, randomUUID());
      this.#left += count;
    }
  }

  /** The copy of an entry; undefined when it is not copied. */
  copy(entry: Entry): Entry | undefined {
    const { uuid } = entry;
    if (this.#left === 0 || !isCopied(entry) || entry['isSidechain']) return undefined;
    const newId = this.#newIds.get(uuid as string);
    if (newId === undefined) return undefined;
    this.#left -= 1;
    const copied: Entry = {
      ...entry,
      uuid: newId,
      parentUuid: this.#findParent(entry['parentUuid']),
      ...('logicalParentUuid' in entry && { logicalParentUuid: this.#findCopy(entry['logicalParentUuid']) }),
      ...(isRecord(entry['compactMetadata']) && {
        compactMetadata: this.#copyCompaction(entry['compactMetadata']),
      }),
      sessionId: this.forkId,
      // The time of the last entry shows when a session was last used.
      ...(this.#left === 0 && { timestamp: new Date().toISOString() }),
      isSidechain: false,
      forkedFrom: { sessionId: this.#sessionId, messageUuid: uuid },
    };
    for (const field of DROPPED) delete copied[field];
    return copied;
  }

  /** The entries that follow the copied ones. */
  listEndings(title: string): Entry[] {
    const stamp = (): Entry => ({ uuid: randomUUID(), timestamp: new Date().toISOString() });
    const sessionId = this.forkId;
    const notes = STATE_NOTES.flatMap(({ type }) => {
      const note = this.#notes.get(type);
      return note ? [{ type, sessionId, ...note }] : [];
    });
    const endings: Entry[] = [...notes, { type: 'custom-title', sessionId, customTitle: title, ...stamp() }];
    if (this.#replacements.length === 0) return endings;
    return [
      { type: 'content-replacement', sessionId, replacements: this.#replacements, ...stamp() },
      ...endings,
    ];
  }

  #noteState(entry: Entry): void {
    const found = STATE_NOTES.find(({ type }) => type === entry['type']);
    const note = found?.read(entry);
    if (found && note) this.#notes.set(found.type, note);
  }

  #findLeftOut(): ReadonlySet<string> {
    const message = this.#upToMessageId;
    if (message === undefined) return new Set();
    // If the fork ended with a compaction, its conversation would be empty. So it ends before the compaction.
    if (this.#nodes.at(-1)?.location.isBoundary) return new Set(this.#noted.size > 1 ? [message] : []);
    return findAbandonedParts(this.#nodes, message);
  }

  #noteReplacement({ sessionId, replacements }: Entry): void {
    if (sessionId === this.#sessionId && Array.isArray(replacements))
      this.#replacements.push(...replacements);
  }

  #findParent(uuid: unknown): string | null {
    let parent = uuid;
    const visited = new Set<unknown>();
    while (typeof parent === 'string' && this.#parentsOfProgress.has(parent) && !visited.has(parent)) {
      visited.add(parent);
      parent = this.#parentsOfProgress.get(parent);
    }
    return this.#findCopy(parent);
  }

  #findCopy(uuid: unknown): string | null {
    return (typeof uuid === 'string' ? this.#newIds.get(uuid) : undefined) ?? null;
  }

  #copyCompaction(facts: Entry): Entry {
    const translate = (value: unknown): unknown => this.#findCopy(value) ?? value;
    const copied = { ...facts };
    for (const part of ['preservedMessages', 'preservedSegment']) {
      const kept = facts[part];
      if (!isRecord(kept)) continue;
      if (this.#upToMessageId !== undefined && kept['anchorUuid'] === this.#upToMessageId) {
        // The entries that this compaction kept come after the last message of the fork.
        delete copied[part];
        continue;
      }
      copied[part] = Object.fromEntries(
        Object.entries(kept).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.map(translate) : translate(value),
        ]),
      );
    }
    return copied;
  }
}

// Finds the compactions that come after the last compaction on the path to the message, and all their descendants. They
// must not be copied into a fork that ends at a message of an older branch. The CLI resumes from the last compaction in
// the file, and would lose the conversation that the caller wants.
function findAbandonedParts(entries: readonly ForkNode[], message: string): Set<string> {
  const abandoned = new Set<string>();
  const nodes = new Map(entries.map((node) => [node.uuid, { ...node }]));
  moveKeptParts(nodes);
  const last = nodes.get(message);
  const path = new Set(last && walkUp(nodes, last).map(({ uuid }) => uuid));
  const isOnPath = ({ uuid }: ChainNode): boolean => path.has(uuid);
  // Without a message on the path there is no conversation to lose.
  if (!entries.some((node) => isMessage(node) && isOnPath(node))) return abandoned;
  // A compaction before the whole path removes nothing of the path. Nor does one before the last compaction on the path.
  const start = entries.findIndex(isOnPath);
  const lastOnPath = entries.findLastIndex((node) => node.location.isBoundary && isOnPath(node));
  // Parents come before their children, so one pass finds all descendants.
  for (const [index, { uuid, parent, location }] of entries.entries()) {
    const isCut = location.isBoundary && index > Math.max(start, lastOnPath);
    if (isCut || (parent !== undefined && abandoned.has(parent))) abandoned.add(uuid);
  }
  return abandoned;
}

function createForkNode(entry: Entry): ForkNode | undefined {
  const isBoundary = entry['type'] === 'system' && entry['subtype'] === 'compact_boundary';
  const { compactMetadata: facts } = entry;
  // The CLI names the kept entries in two forms. The segment is complete, but the list may omit hidden entries.
  const isWhole = isBoundary && isRecord(facts) && isRecord(facts['preservedSegment']);
  const compactMetadata = isWhole ? { preservedSegment: facts['preservedSegment'] } : facts;
  return createChainNode({ ...entry, compactMetadata }, { isBoundary });
}

function isCopied(entry: Entry): boolean {
  return typeof entry['uuid'] === 'string' && COPIED.includes(entry['type'] as string);
}
