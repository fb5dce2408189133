// From the entries of a transcript, which is a tree and not always a tidy one, to the conversation: the branch
// that was spoken last, with what parallel tool calls and compaction put beside it.
import type { ChainNode } from './chain-node.js';
import { recoverReplies } from './recover-replies.js';

/** The conversation in order, hidden entries included. */
export function orderConversation<Place>(entries: readonly ChainNode<Place>[]): ChainNode<Place>[] {
  const nodes = new Map(entries.map((node) => [node.uuid, node]));
  moveKeptParts(nodes);
  // An entry that was written again counts where it was written last.
  const newestFirst = [...new Set(entries.map((node) => node.uuid).toReversed())]
    .map((uuid) => nodes.get(uuid))
    .filter((node) => node !== undefined);
  const leaf =
    findLeaf(
      newestFirst.filter((node) => node.type !== 'progress' && !node.isAside),
      nodes,
    ) ?? findLeaf(newestFirst, nodes);
  if (leaf === undefined) return [];
  return recoverReplies(walkUp(nodes, leaf).toReversed(), nodes);
}

/** Whether a reader of the conversation sees the entry. */
export function isVisible(node: ChainNode, includeSystem: boolean): boolean {
  return (isSpoken(node) || (includeSystem && node.type === 'system')) && !node.isMeta && !node.isAside;
}

/** Whether an entry is a message, of whomever. */
export function isSpoken(node: ChainNode): boolean {
  return node.type === 'user' || node.type === 'assistant';
}

/** Hangs what a compaction has kept where it belongs: it cuts the conversation, starts anew with a summary, and puts some entries behind that. */
export function moveKeptParts(nodes: Map<string, ChainNode>): void {
  for (const { keptPart } of nodes.values()) {
    if (keptPart === undefined) continue;
    const { anchor, uuids } = keptPart;
    const kept = 'first' in uuids ? listBranch(nodes, uuids) : uuids.map((uuid) => nodes.get(uuid));
    const first = kept[0];
    const last = kept.at(-1);
    if (!nodes.has(anchor) || !first || !last || kept.includes(undefined)) continue;
    for (const node of nodes.values()) {
      if (node.parent === anchor && node !== first) node.parent = last.uuid;
    }
    let above = anchor;
    for (const node of kept as ChainNode[]) {
      node.parent = above;
      above = node.uuid;
    }
  }
}

function listBranch(
  nodes: ReadonlyMap<string, ChainNode>,
  { first, last }: { first: string; last: string },
): readonly (ChainNode | undefined)[] {
  const bottom = nodes.get(last);
  if (bottom === undefined) return [];
  const branch = walkUp(nodes, bottom);
  const top = branch.findIndex((node) => node.uuid === first);
  return top === -1 ? [] : branch.slice(0, top + 1).toReversed();
}

// The newest entry that no other follows, or the nearest spoken one above it.
function findLeaf<Place>(
  newestFirst: readonly ChainNode<Place>[],
  nodes: ReadonlyMap<string, ChainNode<Place>>,
): ChainNode<Place> | undefined {
  const parents = new Set(newestFirst.map((node) => node.parent));
  for (const end of newestFirst) {
    if (parents.has(end.uuid)) continue;
    const spoken = walkUp(nodes, end).find(isSpoken);
    if (spoken !== undefined) return spoken;
  }
  return undefined;
}

/** An entry and all above it, upwards; ends where the parent is missing, or was already passed. */
export function walkUp<Place>(
  nodes: ReadonlyMap<string, ChainNode<Place>>,
  from: ChainNode<Place>,
): ChainNode<Place>[] {
  const passed = new Set<ChainNode<Place>>();
  for (
    let node: ChainNode<Place> | undefined = from;
    node !== undefined && !passed.has(node);
    node = node.parent === undefined ? undefined : nodes.get(node.parent)
  ) {
    passed.add(node);
  }
  return [...passed];
}
