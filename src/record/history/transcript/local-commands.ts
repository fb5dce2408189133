// Commands such as /compact are run by the CLI itself and leave user entries that nobody said to the model: a
// hidden caveat, the command, what it printed.
import type { ChainNode } from './chain-node.js';

/** The commands and outputs among the entries of a conversation. */
export function findLocalCommands<Place>(
  conversation: readonly ChainNode<Place>[],
): ReadonlySet<ChainNode<Place>> {
  const found = new Set<ChainNode<Place>>();
  let stage: 'none' | 'announced' | 'run' = 'none';
  for (const node of conversation) {
    if (node.type !== 'user' && node.type !== 'assistant') continue;
    if (node.isMeta) {
      if (node.commandPart === 'caveat') stage = 'announced';
      continue;
    }
    if (
      (stage === 'announced' && node.commandPart === 'command') ||
      (stage === 'run' && node.commandPart === 'output')
    ) {
      found.add(node);
      stage = 'run';
    } else {
      stage = 'none';
    }
  }
  return found;
}
