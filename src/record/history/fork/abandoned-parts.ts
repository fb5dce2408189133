// Where a fork ends at a message of an older branch, a compaction of another branch must not come along: the CLI
// resumes from the last one in the file, and would lose the conversation that was asked for.
import type { ChainNode } from '../transcript/chain-node.js';
import { isSpoken, moveKeptParts, walkUp } from '../transcript/conversation-chain.js';

/** The ids of the last compactions, as far as they are not on the way to a message, and of all that follows them. */
export function findAbandonedParts(
  entries: readonly ChainNode<{ isBoundary: boolean }>[],
  message: string,
): Set<string> {
  const abandoned = new Set<string>();
  const nodes = new Map(entries.map((node) => [node.uuid, { ...node }]));
  moveKeptParts(nodes);
  const last = nodes.get(message);
  const way = new Set(last && walkUp(nodes, last).map(({ uuid }) => uuid));
  const isOnWay = ({ uuid }: ChainNode): boolean => way.has(uuid);
  // Without a word on the way there is no conversation to lose.
  if (!entries.some((node) => isSpoken(node) && isOnWay(node))) return abandoned;
  // One before the whole way takes nothing of it, nor does one with another behind it that is on the way.
  const start = entries.findIndex(isOnWay);
  const lastOnWay = entries.findLastIndex((node) => node.place.isBoundary && isOnWay(node));
  // Parents come before their children, so that one pass finds all that follows.
  for (const [index, { uuid, parent, place }] of entries.entries()) {
    const isCut = place.isBoundary && index > Math.max(start, lastOnWay);
    if (isCut || (parent !== undefined && abandoned.has(parent))) abandoned.add(uuid);
  }
  return abandoned;
}
