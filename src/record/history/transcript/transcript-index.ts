// An index of a transcript file, and the entries behind parts of it: two passes, neither of which holds more
// than one line besides what is asked for.
import { open } from 'node:fs/promises';
import { createChainNode, type ChainNode } from './chain-node.js';
import { readLine, scanLines, type LinePlace } from './scan-lines.js';
import { parseEntry, type Entry } from './transcript-entry.js';

/** The entries of a file that can have a place in a conversation. */
export async function indexTranscript(path: string): Promise<ChainNode<LinePlace>[]> {
  const nodes: ChainNode<LinePlace>[] = [];
  await scanLines(path, (bytes, place) => {
    // Much of a transcript is records of requests, which are long and have no id: not worth parsing.
    if (!bytes.includes('"uuid"')) return;
    const entry = parseEntry(bytes.toString('utf8'));
    const node = entry && createChainNode(entry, place);
    if (node) nodes.push(node);
  });
  return nodes;
}

/** The same for entries that are already in memory. */
export function indexEntries(entries: readonly Entry[]): ChainNode<Entry>[] {
  return entries.map((entry) => createChainNode(entry, entry)).filter((node) => node !== undefined);
}

/** The entries of some nodes, in their order; one that is no longer what it was is left out. */
export async function readEntries(
  path: string,
  nodes: readonly ChainNode<LinePlace>[],
): Promise<{ entry: Entry; node: ChainNode<LinePlace> }[]> {
  const found: { entry: Entry; node: ChainNode<LinePlace> }[] = [];
  if (nodes.length === 0) return found;
  const file = await open(path, 'r');
  try {
    for (const node of nodes) {
      const entry = parseEntry(await readLine(file, node.place));
      if (entry?.['uuid'] === node.uuid) found.push({ entry, node });
    }
  } finally {
    await file.close();
  }
  return found;
}
