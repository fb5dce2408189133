// What a resumed CLI gives the model of the calls in a transcript, by the rules that were measured on both (docs/discoveries/
// crash-and-resume.md). Written apart from the code under test, which it judges; test/e2e/cases/call-completion.ts compares it with
// the real CLIs.
import type { SessionStoreEntry } from '../../../../src/wire/protocol/config/session-store.js';

/** A call in the request, and every result that the request has for it. */
export interface SeenCall {
  toolUseId: string;
  toolName: string;
  input: unknown;
  results: unknown[];
}

interface Block {
  type: string;
  id?: string;
  name?: string;
  input?: unknown;
  tool_use_id?: string;
  content?: unknown;
}

type Line = SessionStoreEntry & { uuid: string };

const KINDS = ['user', 'assistant', 'system', 'attachment', 'progress'];

/** The calls that are in the conversation, with their results; one without is left out by the oldest CLI, and called unknown by the newest. */
export function seeCalls(entries: readonly SessionStoreEntry[], cli: 'oldest' | 'newest'): SeenCall[] {
  const lines = entries.filter(
    (entry): entry is Line => KINDS.includes(entry.type) && entry['isSidechain'] !== true,
  );
  const byUuid = new Map(lines.map((line) => [line.uuid, line]));
  const line = climb(byUuid, cli === 'oldest' ? newestLeaf(lines) : namedLeaf(lines, entries, byUuid));
  const replies = new Set(line.map(messageIdOf).filter((id) => id !== undefined));
  const spoken =
    cli === 'oldest'
      ? line
      : lines.filter((one) => line.includes(one) || replies.has(messageIdOf(one) ?? ''));
  const blocks = (cli === 'oldest' ? line : lines).flatMap(blocksOf);
  return spoken
    .filter(({ type }) => type === 'assistant')
    .flatMap(blocksOf)
    .filter(({ type }) => type === 'tool_use')
    .map(({ id = '', name = '', input }) => {
      const all = blocks.filter((block) => block.type === 'tool_result' && block.tool_use_id === id);
      const results = (cli === 'oldest' ? all : all.slice(0, 1)).map(({ content }) => content);
      return { toolUseId: id, toolName: name, input, results };
    });
}

function climb(byUuid: ReadonlyMap<string, Line>, leaf: Line | undefined): Line[] {
  const line: Line[] = [];
  for (let at = leaf; at; at = byUuid.get(String(at['parentUuid']))) line.unshift(at);
  return line;
}

function isEnd(line: Line, lines: readonly Line[]): boolean {
  const below = lines.filter((other) => other['parentUuid'] === line.uuid);
  return line.type !== 'progress' && below.every((other) => isDeadProgress(other, lines));
}

function isDeadProgress(line: Line, lines: readonly Line[]): boolean {
  if (line.type !== 'progress') return false;
  const below = lines.filter((other) => other['parentUuid'] === line.uuid);
  return below.every((other) => isDeadProgress(other, lines));
}

/** The sort is stable: of entries that are equally new the first counts. */
function newestLeaf(lines: readonly Line[]): Line | undefined {
  return lines.toSorted(
    (one, other) => Date.parse(other.timestamp ?? '') - Date.parse(one.timestamp ?? ''),
  )[0];
}

function namedLeaf(
  lines: readonly Line[],
  entries: readonly SessionStoreEntry[],
  byUuid: ReadonlyMap<string, Line>,
): Line | undefined {
  const note = entries.findLast((entry) => entry.type === 'last-prompt' && 'leafUuid' in entry);
  const named = byUuid.get(String(note?.['leafUuid']));
  return lines.findLast((line) => isEnd(line, lines) && (!named || climb(byUuid, line).includes(named)));
}

function messageIdOf(line: Line): string | undefined {
  return line.type === 'assistant' ? (line['message'] as { id?: string }).id : undefined;
}

function blocksOf(line: Line): Block[] {
  const content = (line['message'] as { content?: unknown } | undefined)?.content;
  return Array.isArray(content) ? (content as Block[]) : [];
}
