// What a fork consists of: which entries are copied, under which new ids. Every reference from one entry to
// another is followed into the copy, so that the copy stands for itself.
import { isRecord } from '../../../util/guards.js';
import { randomUUID } from 'node:crypto';
import { InvalidOptionsError, SessionNotFoundError } from '../../../errors.js';
import { findAbandonedParts } from './abandoned-parts.js';
import { createChainNode, type ChainNode } from '../transcript/chain-node.js';
import type { Entry } from '../transcript/transcript-entry.js';

const COPIED = ['user', 'assistant', 'system', 'attachment'];
/** Belongs to the original: its plan file, its team, the entry that was answered. */
const DROPPED = ['slug', 'teamName', 'agentName', 'sourceToolAssistantUUID'];

/** Two passes over the same entries: `note()` all of them, `decide()`, then `copy()` all of them. */
export class ForkPlan {
  readonly forkId = randomUUID();
  readonly #sessionId: string;
  readonly #upToMessageId: string | undefined;
  /** How often each entry occurs: a transcript may have one twice. */
  readonly #noted = new Map<string, number>();
  readonly #newIds = new Map<string, string>();
  /** Progress is not copied; what hangs on it is hung on what it hung on. */
  readonly #parentsOfProgress = new Map<string, unknown>();
  readonly #replacements: unknown[] = [];
  /** Only where the fork ends early: else all is copied. */
  readonly #nodes: ChainNode<{ isBoundary: boolean }>[] = [];
  #isBeyondEnd = false;
  #left = 0;

  constructor(source: { sessionId: string; upToMessageId: string | undefined }) {
    this.#sessionId = source.sessionId;
    this.#upToMessageId = source.upToMessageId;
  }

  /** Takes notice of an entry, in the order of the transcript. */
  note(entry: Entry): void {
    if (entry['type'] === 'content-replacement') this.#noteReplacement(entry);
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

  /** Decides what is copied. Throws when there is nothing to copy, or not the message to stop at. */
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

  /** The copy of an entry; undefined when it has none. */
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
      // The last entry tells when a session was last used.
      ...(this.#left === 0 && { timestamp: new Date().toISOString() }),
      isSidechain: false,
      forkedFrom: { sessionId: this.#sessionId, messageUuid: uuid },
    };
    for (const field of DROPPED) delete copied[field];
    return copied;
  }

  /** What follows the copied entries. */
  listEndings(title: string): Entry[] {
    const stamp = (): Entry => ({ uuid: randomUUID(), timestamp: new Date().toISOString() });
    const sessionId = this.forkId;
    const endings: Entry[] = [{ type: 'custom-title', sessionId, customTitle: title, ...stamp() }];
    if (this.#replacements.length === 0) return endings;
    return [
      { type: 'content-replacement', sessionId, replacements: this.#replacements, ...stamp() },
      ...endings,
    ];
  }

  #findLeftOut(): ReadonlySet<string> {
    const message = this.#upToMessageId;
    if (message === undefined) return new Set();
    // A compaction with nothing after it would leave an empty conversation: the fork ends before it.
    if (this.#nodes.at(-1)?.place.isBoundary) return new Set(this.#noted.size > 1 ? [message] : []);
    return findAbandonedParts(this.#nodes, message);
  }

  #noteReplacement({ sessionId, replacements }: Entry): void {
    if (sessionId === this.#sessionId && Array.isArray(replacements))
      this.#replacements.push(...replacements);
  }

  #findParent(uuid: unknown): string | null {
    let parent = uuid;
    const passed = new Set<unknown>();
    while (typeof parent === 'string' && this.#parentsOfProgress.has(parent) && !passed.has(parent)) {
      passed.add(parent);
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
        // What was kept comes behind the message the fork ends at.
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

function createForkNode(entry: Entry): ChainNode<{ isBoundary: boolean }> | undefined {
  const isBoundary = entry['type'] === 'system' && entry['subtype'] === 'compact_boundary';
  const { compactMetadata: facts } = entry;
  // Of the two ways to say what was kept, the segment has it whole; the list may leave out what is hidden.
  const isWhole = isBoundary && isRecord(facts) && isRecord(facts['preservedSegment']);
  const compactMetadata = isWhole ? { preservedSegment: facts['preservedSegment'] } : facts;
  return createChainNode({ ...entry, compactMetadata }, { isBoundary });
}

function isCopied(entry: Entry): boolean {
  return typeof entry['uuid'] === 'string' && COPIED.includes(entry['type'] as string);
}
