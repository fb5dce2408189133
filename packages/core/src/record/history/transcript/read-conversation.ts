// Reads the messages of a conversation from a transcript, which is a file or a list of entries from a store. A file is
// read twice: first for an index, then for the wanted messages. Besides the index and these messages, only one line at a
// time is in memory.
import { open } from 'node:fs/promises';
import type { SessionMessage } from '../../../wire/protocol/config/past-sessions.js';
import { readPage, type PageOptions } from '../arguments.js';
import { createChainNode, type ChainNode } from './chain-node.js';
import { readEntryAt, scanEntries, type Entry, type LineLocation } from './transcript-lines.js';
import { type MessageParents, findLocalCommands, createSessionMessage } from './session-message.js';

/** Which messages are wanted. */
export interface ConversationQuery {
  /** Picks the conversation out of all entries, in order. */
  readonly order: <Location>(entries: readonly ChainNode<Location>[]) => ChainNode<Location>[];
  /** Decides which entries of the conversation are returned. */
  readonly isShown: (node: ChainNode) => boolean;
  readonly page: PageOptions;
  readonly parents?: MessageParents;
}

const NO_PARENTS: MessageParents = { toolUseId: null, agentId: null };

/** The wanted messages of a transcript. `source` is the path of a file, or a list of entries. */
export async function readConversation(
  source: string | readonly Entry[],
  query: ConversationQuery,
): Promise<SessionMessage[]> {
  if (typeof source !== 'string') {
    const nodes = source.flatMap((entry) => createChainNode(entry, entry) ?? []);
    return selectMessages(nodes, query).map(({ node, toMessage }) => toMessage(node.location));
  }
  const selected = selectMessages(await indexTranscript(source), query);
  if (selected.length === 0) return [];
  const messages: SessionMessage[] = [];
  const file = await open(source, 'r');
  try {
    for (const { node, toMessage } of selected) {
      const entry = await readEntryAt(file, node.location);
      // The file may have changed since it was indexed, and may have another entry there.
      if (entry?.['uuid'] === node.uuid) messages.push(toMessage(entry));
    }
  } finally {
    await file.close();
  }
  return messages;
}

async function indexTranscript(path: string): Promise<ChainNode<LineLocation>[]> {
  const nodes: ChainNode<LineLocation>[] = [];
  // Many lines of a transcript are records of requests. They are long, have no id, and are not worth parsing.
  const add = (entry: Entry, location: LineLocation): void => {
    const node = createChainNode(entry, location);
    if (node) nodes.push(node);
  };
  await scanEntries(path, add, { mention: '"uuid"' });
  return nodes;
}

function selectMessages<Location>(
  nodes: readonly ChainNode<Location>[],
  { order, isShown, page, parents = NO_PARENTS }: ConversationQuery,
) {
  const conversation = order(nodes);
  const commands = findLocalCommands(conversation);
  const { start, end } = readPage(page);
  return conversation
    .filter(isShown)
    .slice(start, end)
    .map((node) => ({
      node,
      toMessage: (entry: Entry) => createSessionMessage(entry, { isCommand: commands.has(node), parents }),
    }));
}
