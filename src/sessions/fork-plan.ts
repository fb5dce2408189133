// What a fork consists of: which entries are copied, under which new ids. Every reference from one entry to
// another is followed into the copy, so that the copy stands for itself.
import { randomUUID } from 'node:crypto';
import { InvalidOptionsError, SessionNotFoundError } from '../errors.js';
import { isWireObject } from '../protocol/codec.js';
import type { Entry } from './transcript-entry.js';

const COPIED = ['user', 'assistant', 'system', 'attachment'];
/** Belongs to the original: its plan file, its team, the entry that was answered. */
const DROPPED = ['slug', 'teamName', 'agentName', 'sourceToolAssistantUUID'];

/** Two passes over the same entries: `note()` all of them, then `copy()` all of them. */
export class ForkPlan {
  readonly forkId = randomUUID();
  readonly #sessionId: string;
  readonly #upToMessageId: string | undefined;
  readonly #newIds = new Map<string, string>();
  /** Progress is not copied; what hangs on it is hung on what it hung on. */
  readonly #parentsOfProgress = new Map<string, unknown>();
  readonly #replacements: unknown[] = [];
  #isBeyondEnd = false;
  #noted = 0;
  #copied = 0;

  constructor(source: { sessionId: string; upToMessageId: string | undefined }) {
    this.#sessionId = source.sessionId;
    this.#upToMessageId = source.upToMessageId;
  }

  /** Takes notice of an entry, in the order of the transcript. */
  note(entry: Entry): void {
    if (entry['type'] === 'content-replacement') this.#noteReplacement(entry);
    const { uuid } = entry;
    if (this.#isBeyondEnd || typeof uuid !== 'string' || entry['isSidechain']) return;
    if (entry['type'] === 'progress') this.#parentsOfProgress.set(uuid, entry['parentUuid']);
    else if (!isCopied(entry)) return;
    else {
      this.#noted += 1;
      if (!this.#newIds.has(uuid)) this.#newIds.set(uuid, randomUUID());
    }
    if (uuid === this.#upToMessageId) this.#isBeyondEnd = true;
  }

  /** Throws when nothing was noted that can be copied, or not the message to stop at. */
  check(): void {
    if (this.#upToMessageId !== undefined && !this.#isBeyondEnd) {
      throw new SessionNotFoundError(
        this.#sessionId,
        `Message ${this.#upToMessageId} not found in session ${this.#sessionId}`,
        { phase: 'options' },
      );
    }
    if (this.#noted > 0) return;
    throw new InvalidOptionsError(['sessionId'], `Session ${this.#sessionId} has no messages to fork`);
  }

  /** The copy of an entry; undefined when it has none. */
  copy(entry: Entry): Entry | undefined {
    const { uuid } = entry;
    if (this.#copied >= this.#noted || !isCopied(entry) || entry['isSidechain']) return undefined;
    this.#copied += 1;
    const copied: Entry = {
      ...entry,
      uuid: this.#newIds.get(uuid as string),
      parentUuid: this.#findParent(entry['parentUuid']),
      ...('logicalParentUuid' in entry && { logicalParentUuid: this.#findCopy(entry['logicalParentUuid']) }),
      ...(isWireObject(entry['compactMetadata']) && {
        compactMetadata: this.#copyCompaction(entry['compactMetadata']),
      }),
      sessionId: this.forkId,
      // The last entry tells when a session was last used.
      ...(this.#copied === this.#noted && { timestamp: new Date().toISOString() }),
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
      if (!isWireObject(kept)) continue;
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

function isCopied(entry: Entry): boolean {
  return typeof entry['uuid'] === 'string' && COPIED.includes(entry['type'] as string);
}
