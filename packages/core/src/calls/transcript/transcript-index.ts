// The entries of a transcript as a tree, and which end of it a CLI goes on from. The rules were measured
// (docs/discoveries/crash-and-resume.md) and differ: a newer CLI takes the end that a `last-prompt` entry names, an older one the
// newest by its time.
import { asString } from '../../util/guards.js';
import { createChainNode, type ChainNode } from '../../record/history/transcript/chain-node.js';
import { moveKeptParts, walkUp } from '../../record/history/transcript/conversation-chain.js';
import type { Entry } from '../../record/history/transcript/transcript-lines.js';
import { compareVersions } from '../../wire/process/find/compare-versions.js';

/** The first version known to obey `last-prompt`, and to find results that are not on the line it follows. */
const NAMED_LEAF_SINCE = '2.1.325';
/** The last version known to go by time and to know nothing but one line. */
const NEWEST_LEAF_UNTIL = '2.1.33';

/** As in 2026-11-17T20:30:00.000Z. */
const USUAL_FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Where an entry stands in the transcript, and the entry. */
export interface Place {
  readonly entry: Entry;
  readonly position: number;
}

export type TranscriptNode = ChainNode<Place>;

/** Whether the CLI finds the results of a reply's calls wherever they hang; false where that is not known. */
export function findsScatteredResults(cliVersion: string | undefined): boolean {
  return cliVersion !== undefined && compareVersions(cliVersion, NAMED_LEAF_SINCE) >= 0;
}

/** The tree; holds the entries that it was made of. */
export class TranscriptIndex {
  readonly nodes = new Map<string, TranscriptNode>();
  readonly #children = new Map<string, TranscriptNode[]>();
  readonly #parts = new Map<string, TranscriptNode[]>();
  readonly #results = new Map<string, TranscriptNode[]>();
  readonly #lines = new Map<TranscriptNode, ReadonlySet<TranscriptNode>>();
  /** Without what subagents and teammates wrote. */
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
      // In the CLI's form their order is that of texts: parsing thousands takes longer than the rest.
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
      // An entry that was written again counts where it was written first: its children came after that.
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

  /** The entries of a reply, in the order of the transcript: each has one block of it, or all of them in a copy. */
  partsOf(messageId: string): readonly TranscriptNode[] {
    return this.#parts.get(messageId) ?? [];
  }

  /** The entries with a result of a call, in the order of the transcript. */
  resultsOf(toolUseId: string): readonly TranscriptNode[] {
    return this.#results.get(toolUseId) ?? [];
  }

  /** What was written right below an entry, in the order of the transcript. */
  childrenOf(node: TranscriptNode): readonly TranscriptNode[] {
    return this.#children.get(node.uuid) ?? [];
  }

  /** An entry and its ancestors: most of a long transcript, so each line is followed once. */
  lineOf(node: TranscriptNode): ReadonlySet<TranscriptNode> {
    const known = this.#lines.get(node);
    if (known) return known;
    const line = new Set(walkUp(this.nodes, node));
    this.#lines.set(node, line);
    return line;
  }

  /** The ends that the CLI may go on from: one where its version is known, else what either rule says. */
  leavesFor(cliVersion: string | undefined): TranscriptNode[] {
    const named = this.findNamedLeaf();
    const newest = this.#findNewestLeaf();
    if (!named || !newest) return [];
    if (findsScatteredResults(cliVersion)) return [named];
    if (cliVersion !== undefined && compareVersions(cliVersion, NEWEST_LEAF_UNTIL) <= 0) return [newest];
    return named === newest ? [named] : [named, newest];
  }

  /** The last end in the file, below the entry that is named where there is one. */
  findNamedLeaf(): TranscriptNode | undefined {
    const named = this.namedLeaf === undefined ? undefined : this.nodes.get(this.namedLeaf);
    return !named || named.isAside ? this.#listEnds().at(-1) : this.#findEndBelow(named);
  }

  /**
   * The end below the newest entry, and of several below the first. The CLI itself forgets what is below: it gives some entries a
   * time that is yet to come, and what it writes right after them is older. That was said all the same.
   */
  #findNewestLeaf(): TranscriptNode | undefined {
    let newest: TranscriptNode | undefined;
    for (const node of this.#own) if (!newest || node.timestamp > newest.timestamp) newest = node;
    return newest && this.#findEndBelow(newest);
  }

  #findEndBelow(node: TranscriptNode): TranscriptNode {
    // A set that grows while it is walked: whatever is added is visited, and nothing twice.
    const below = new Set([node]);
    for (const above of below) for (const child of this.childrenOf(above)) below.add(child);
    return this.#listEnds().findLast((end) => below.has(end)) ?? node;
  }

  /** Entries that nothing follows; progress is none, nor does it follow. */
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
