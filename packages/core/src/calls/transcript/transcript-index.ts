// The entries of a transcript as a tree, and the end of it from which a CLI goes on. The rules were measured
// (docs/discoveries/crash-and-resume.md) and differ: a newer CLI takes the end that a `last-prompt` entry names, an
// older one the newest by its time.
import { asString } from '../../util/guards.js';
import { createChainNode, type ChainNode } from '../../record/history/transcript/chain-node.js';
import { moveKeptParts, walkUp } from '../../record/history/transcript/conversation-chain.js';
import type { Entry } from '../../record/history/transcript/transcript-lines.js';
import { compareVersions } from '../../wire/process/find/compare-versions.js';

/** The first version known to obey `last-prompt`, and to find results that are not on its line. */
const NAMED_LEAF_SINCE = '2.1.325';
/** The last version known to go by time, and to read only one line. */
const NEWEST_LEAF_UNTIL = '2.1.33';

/** For example 2026-11-17T20:30:00.000Z. */
const USUAL_FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** An entry and its position in the transcript. */
export interface EntryPlace {
  readonly entry: Entry;
  readonly position: number;
}

export type TranscriptNode = ChainNode<EntryPlace>;

/** Whether the CLI finds the results of a reply's calls below any entry; false where that is not known. */
export function findsScatteredResults(cliVersion: string | undefined): boolean {
  return cliVersion !== undefined && compareVersions(cliVersion, NAMED_LEAF_SINCE) >= 0;
}

/** The tree, with its entries. */
export class TranscriptIndex {
  readonly nodes = new Map<string, TranscriptNode>();
  readonly #children = new Map<string, TranscriptNode[]>();
  readonly #parts = new Map<string, TranscriptNode[]>();
  readonly #results = new Map<string, TranscriptNode[]>();
  readonly #lines = new Map<TranscriptNode, ReadonlySet<TranscriptNode>>();
  /** The entries without those of subagents and teammates. */
  readonly #own: readonly TranscriptNode[];
  #ends: readonly TranscriptNode[] | undefined;
  /** The leaf that the last `last-prompt` entry names, and the prompt in it. */
  readonly namedLeaf: string | undefined;
  readonly lastPrompt: string | undefined;
  /** The time of the newest entry, in milliseconds since the epoch. */
  readonly newestTime: number = 0;

  constructor(entries: Iterable<Entry>) {
    let position = 0;
    let newest = '';
    for (const entry of entries) {
      position += 1;
      const timestamp = asString(entry['timestamp']) ?? '';
      // Times in the CLI's form can be compared as texts. Parsing thousands takes longer than everything else here.
      const isUsual = USUAL_FORM.test(timestamp);
      if (!isUsual || timestamp > newest) {
        const time = Date.parse(timestamp);
        if (time > this.newestTime) this.newestTime = time;
        if (isUsual && !Number.isNaN(time)) newest = timestamp;
      }
      if (entry['type'] === 'last-prompt') {
        this.lastPrompt = asString(entry['lastPrompt']) ?? this.lastPrompt;
        this.namedLeaf = asString(entry['leafUuid']) ?? this.namedLeaf;
      }
      const node = createChainNode(entry, { entry, position });
      // An entry that was written twice counts at its first place, because its children came after that.
      if (node && !this.nodes.has(node.uuid)) this.nodes.set(node.uuid, node);
    }
    moveKeptParts(this.nodes);
    this.#own = [...this.nodes.values()].filter((node) => !node.isAside);
    for (const node of this.#own) {
      if (node.parent !== undefined) addTo(this.#children, node.parent, node);
      if (node.messageId !== undefined) addTo(this.#parts, node.messageId, node);
      for (const toolUseId of new Set(node.toolResults)) addTo(this.#results, toolUseId, node);
    }
  }

  /** The ids of all replies. */
  get messageIds(): string[] {
    return [...this.#parts.keys()];
  }

  /** The entries of a reply, in the order of the transcript. Each has one block of it; a copy has all of them. */
  partsOf(messageId: string): readonly TranscriptNode[] {
    return this.#parts.get(messageId) ?? [];
  }

  /** The entries with a result of a call, in the order of the transcript. */
  resultsOf(toolUseId: string): readonly TranscriptNode[] {
    return this.#results.get(toolUseId) ?? [];
  }

  /** The direct children of an entry, in the order of the transcript. */
  childrenOf(node: TranscriptNode): readonly TranscriptNode[] {
    return this.#children.get(node.uuid) ?? [];
  }

  /** An entry and its ancestors. That is most of a long transcript, so each line is kept. */
  lineOf(node: TranscriptNode): ReadonlySet<TranscriptNode> {
    const known = this.#lines.get(node);
    if (known) return known;
    const line = new Set(walkUp(this.nodes, node));
    this.#lines.set(node, line);
    return line;
  }

  /** The ends from which the CLI may go on: one where its version is known, otherwise that of each rule. */
  leavesFor(cliVersion: string | undefined): TranscriptNode[] {
    const named = this.findNamedLeaf();
    const newest = this.#findNewestLeaf();
    if (!named || !newest) return [];
    if (findsScatteredResults(cliVersion)) return [named];
    if (cliVersion !== undefined && compareVersions(cliVersion, NEWEST_LEAF_UNTIL) <= 0) return [newest];
    return named === newest ? [named] : [named, newest];
  }

  /** The last end in the file, below the named entry where there is one. */
  findNamedLeaf(): TranscriptNode | undefined {
    const named = this.namedLeaf === undefined ? undefined : this.nodes.get(this.namedLeaf);
    return !named || named.isAside ? this.#listEnds().at(-1) : this.#findEndBelow(named);
  }

  /**
   * The end below the newest entry; of several newest ones, below the first. The CLI itself ignores what is below it:
   * it gives some entries a time in the future, and the entries after those are older. They are still part of the
   * conversation.
   */
  #findNewestLeaf(): TranscriptNode | undefined {
    let newest: TranscriptNode | undefined;
    for (const node of this.#own) if (!newest || node.timestamp > newest.timestamp) newest = node;
    return newest && this.#findEndBelow(newest);
  }

  #findEndBelow(node: TranscriptNode): TranscriptNode {
    // The set grows while it is walked, and each entry is visited once.
    const below = new Set([node]);
    for (const above of below) for (const child of this.childrenOf(above)) below.add(child);
    return this.#listEnds().findLast((end) => below.has(end)) ?? node;
  }

  /** Entries without a following one. Progress is no end, and does not count as following. */
  #listEnds(): readonly TranscriptNode[] {
    this.#ends ??= this.#findEnds();
    return this.#ends;
  }

  #findEnds(): TranscriptNode[] {
    const isFollowed = new Set<TranscriptNode>();
    const shown = this.#own.filter((node) => node.type !== 'progress');
    for (const { parent } of shown) {
      for (let above = parent; above !== undefined;) {
        const node: TranscriptNode | undefined = this.nodes.get(above);
        if (!node || isFollowed.has(node)) break;
        isFollowed.add(node);
        above = node.type === 'progress' ? node.parent : undefined;
      }
    }
    return shown.filter((node) => !isFollowed.has(node));
  }
}

function addTo(lists: Map<string, TranscriptNode[]>, key: string, node: TranscriptNode): void {
  const list = lists.get(key);
  if (list) list.push(node);
  else lists.set(key, [node]);
}
