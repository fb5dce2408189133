// The entries of a transcript as a tree, and the leaf from which a CLI goes on. CLIs choose it by different rules, which
// were measured (docs/discoveries/crash-and-resume.md): a newer CLI takes the leaf that a `last-prompt` entry names, an
// older one takes the entry with the newest time.
import { asString } from '../../util/guards.js';
import { createChainNode, type ChainNode } from '../../record/history/transcript/chain-node.js';
import { moveKeptParts, walkUp } from '../../record/history/transcript/conversation-chain.js';
import type { Entry } from '../../record/history/transcript/transcript-lines.js';
import { compareVersions } from '../../wire/process/find/compare-versions.js';

/** The first version known to obey `last-prompt`, and to find results that are not among the ancestors of the leaf. */
const NAMED_LEAF_SINCE = '2.1.325';
/** The last version known to choose the leaf by time, and to read only the leaf and its ancestors. */
const NEWEST_LEAF_UNTIL = '2.1.33';

/** For example 2026-11-17T20:30:00.000Z. */
const USUAL_FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** An entry and its position in the transcript. */
export interface EntryPlace {
  readonly entry: Entry;
  readonly position: number;
}

export type TranscriptNode = ChainNode<EntryPlace>;

/** Whether the CLI finds the result of a call below any entry of the reply; false if that is not known. */
export function findsScatteredResults(cliVersion: string | undefined): boolean {
  return cliVersion !== undefined && compareVersions(cliVersion, NAMED_LEAF_SINCE) >= 0;
}

/** The tree of a transcript's entries, with look-ups for replies, results and leaves. */
export class TranscriptIndex {
  readonly nodes = new Map<string, TranscriptNode>();
  readonly #children = new Map<string, TranscriptNode[]>();
  readonly #parts = new Map<string, TranscriptNode[]>();
  readonly #results = new Map<string, TranscriptNode[]>();
  readonly #lines = new Map<TranscriptNode, ReadonlySet<TranscriptNode>>();
  /** The entries without those of subagents and teammates. */
  readonly #own: readonly TranscriptNode[];
  #ends: readonly TranscriptNode[] | undefined;
  /** The leaf and the prompt that the last `last-prompt` entry names. */
  readonly namedLeaf: string | undefined;
  readonly lastPrompt: string | undefined;
  /** The time of the newest entry, in milliseconds since 1970. */
  readonly newestTime: number = 0;

  constructor(entries: Iterable<Entry>) {
    let position = 0;
    let newest = '';
    for (const entry of entries) {
      position += 1;
      const timestamp = asString(entry['timestamp']) ?? '';
      // Times in the CLI's form can be compared as texts. Parsing thousands of them would take longer than the rest.
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
      // Of an entry that was written twice, the first counts, because its children may come before the second.
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

  /** The entries of a reply, in the order of the transcript. The CLI writes one per block. A copy of a reply is one entry. */
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

  /** An entry and its ancestors, upwards. They can be most of a long transcript, so the set is kept for the next time. */
  lineOf(node: TranscriptNode): ReadonlySet<TranscriptNode> {
    const known = this.#lines.get(node);
    if (known) return known;
    const line = new Set(walkUp(this.nodes, node));
    this.#lines.set(node, line);
    return line;
  }

  /** The leaves from which the CLI may go on. There is one if the rule of its version is known, otherwise one for each rule. */
  leavesFor(cliVersion: string | undefined): TranscriptNode[] {
    const named = this.findNamedLeaf();
    const newest = this.#findNewestLeaf();
    if (!named || !newest) return [];
    if (findsScatteredResults(cliVersion)) return [named];
    if (cliVersion !== undefined && compareVersions(cliVersion, NEWEST_LEAF_UNTIL) <= 0) return [newest];
    return named === newest ? [named] : [named, newest];
  }

  /** The last end below the entry that `last-prompt` names. Without such an entry, the last end in the transcript. */
  findNamedLeaf(): TranscriptNode | undefined {
    const named = this.namedLeaf === undefined ? undefined : this.nodes.get(this.namedLeaf);
    return !named || named.isAside ? this.#listEnds().at(-1) : this.#findEndBelow(named);
  }

  /**
   * The last end below the newest entry. Of several newest entries, the first counts. There may be entries below it,
   * because the CLI gives some entries a time in the future. An older CLI ignores the entries below. They belong to the
   * conversation, so they count here.
   */
  #findNewestLeaf(): TranscriptNode | undefined {
    let newest: TranscriptNode | undefined;
    for (const node of this.#own) if (!newest || node.timestamp > newest.timestamp) newest = node;
    return newest && this.#findEndBelow(newest);
  }

  #findEndBelow(node: TranscriptNode): TranscriptNode {
    // The set grows while the loop walks through it. Each entry is visited once.
    const below = new Set([node]);
    for (const above of below) for (const child of this.childrenOf(above)) below.add(child);
    return this.#listEnds().findLast((end) => below.has(end)) ?? node;
  }

  /** Entries that no other entry follows. A progress entry is no end, and does not count as a follower. */
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
