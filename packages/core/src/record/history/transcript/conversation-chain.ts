// Finds the conversation in the entries of a transcript. The entries are a tree, and the conversation is its newest
// branch. Entries that parallel tool calls or a compaction left outside that branch are added.
import type { ChainNode } from './chain-node.js';
import { recoverReplies } from './recover-replies.js';

/** The conversation in order, hidden entries included. */
export function orderConversation<Location>(entries: readonly ChainNode<Location>[]): ChainNode<Location>[] {
  const nodes = new Map(entries.map((node) => [node.uuid, node]));
  moveKeptParts(nodes);
  // An entry that was written twice counts at its last place.
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

/** Whether the entry is shown to callers as part of the conversation. */
export function isVisible(node: ChainNode, includeSystem: boolean): boolean {
  return (isMessage(node) || (includeSystem && node.type === 'system')) && !node.isMeta && !node.isAside;
}

/** Whether an entry is a message of the user or of the model. */
export function isMessage(node: ChainNode): boolean {
  return node.type === 'user' || node.type === 'assistant';
}

/** Moves the entries that a compaction kept to their place after its summary. In the file they come before it. */
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

// Finds the newest entry that is no other entry's parent. If it is not a message, the nearest message above it.
function findLeaf<Location>(
  newestFirst: readonly ChainNode<Location>[],
  nodes: ReadonlyMap<string, ChainNode<Location>>,
): ChainNode<Location> | undefined {
  const parents = new Set(newestFirst.map((node) => node.parent));
  for (const end of newestFirst) {
    if (parents.has(end.uuid)) continue;
    const message = walkUp(nodes, end).find(isMessage);
    if (message !== undefined) return message;
  }
  return undefined;
}

/** An entry and its ancestors, upwards. The list ends where a parent is missing or was visited already. */
export function walkUp<Location>(
  nodes: ReadonlyMap<string, ChainNode<Location>>,
  from: ChainNode<Location>,
): ChainNode<Location>[] {
  const visited = new Set<ChainNode<Location>>();
  for (
    let node: ChainNode<Location> | undefined = from;
    node !== undefined && !visited.has(node);
    node = node.parent === undefined ? undefined : nodes.get(node.parent)
  ) {
    visited.add(node);
  }
  return [...visited];
}
