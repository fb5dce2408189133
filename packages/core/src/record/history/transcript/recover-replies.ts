// Adds the entries of a reply that are not among the ancestors of the last message. A reply with several tool calls is
// several entries, and the results of the calls have different parents.
import type { ChainNode } from './chain-node.js';

/** The chain with the missing entries and results of each reply added after the last entry of that reply. */
export function recoverReplies<Location>(
  chain: readonly ChainNode<Location>[],
  nodes: ReadonlyMap<string, ChainNode<Location>>,
): ChainNode<Location>[] {
  const lastOfReply = new Map<string, ChainNode<Location>>();
  for (const node of chain) if (node.messageId) lastOfReply.set(node.messageId, node);
  if (lastOfReply.size === 0) return [...chain];

  const index = indexNodes(nodes);
  const placed = new Set(chain);
  const behind = new Map<ChainNode<Location>, ChainNode<Location>[]>();
  const inChain = chain.flatMap((node) => node.toolResults);
  for (const [messageId, last] of lastOfReply) {
    const parts = index.replies.get(messageId) ?? [];
    const missing = parts.filter((part) => !placed.has(part));
    const results = parts
      .flatMap((part) => index.resultsByParent.get(part.uuid) ?? [])
      .filter((result) => !placed.has(result))
      .sort((one, other) => index.positionOf(one) - index.positionOf(other));
    const answered = new Set([...inChain, ...results.flatMap((result) => result.toolResults)]);
    for (const id of parts.flatMap((part) => (part.isSidechain ? [] : part.toolUses))) {
      if (answered.has(id)) continue;
      // The parent of a result need not be the entry with its call, but a result without any parent is not taken.
      const result = index.resultsByTool
        .get(id)
        ?.find((node) => node.parent !== undefined && !placed.has(node) && !results.includes(node));
      if (result === undefined) continue;
      results.push(result);
      answered.add(id);
    }
    const extra = [...sortByTime(missing), ...sortByTime(results)];
    for (const node of extra) placed.add(node);
    if (extra.length > 0) behind.set(last, extra);
  }
  return chain.flatMap((node) => [node, ...(behind.get(node) ?? [])]);
}

function indexNodes<Location>(nodes: ReadonlyMap<string, ChainNode<Location>>) {
  const replies = new Map<string, ChainNode<Location>[]>();
  const resultsByParent = new Map<string, ChainNode<Location>[]>();
  const resultsByTool = new Map<string, ChainNode<Location>[]>();
  const positions = new Map<ChainNode<Location>, number>();
  for (const node of nodes.values()) {
    positions.set(node, positions.size);
    if (node.messageId) add(replies, node.messageId, node);
    if (node.toolResults.length === 0) continue;
    if (node.parent !== undefined) add(resultsByParent, node.parent, node);
    for (const id of new Set(node.toolResults)) add(resultsByTool, id, node);
  }
  const positionOf = (node: ChainNode<Location>): number => positions.get(node) ?? 0;
  return { replies, resultsByParent, resultsByTool, positionOf };
}

function add<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

// Entries with the same time stay in their order, because the sort is stable.
function sortByTime<Location>(nodes: readonly ChainNode<Location>[]): ChainNode<Location>[] {
  return nodes.toSorted((one, other) =>
    one.timestamp < other.timestamp ? -1 : one.timestamp > other.timestamp ? 1 : 0,
  );
}
