// A live call of every kind of result, and what `showToModel` makes of the same result: the model must see the same bytes, and the
// transcript must hold the same fields. One start of the CLI for all rows.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { INTERRUPTED_NOTE } from '../../../packages/core/src/calls/result/show-failure.js';
import {
  asSent,
  describeEntry,
  describeShown,
  idOf,
  normalize,
  shorten,
  showRow,
  toolOf,
  type RowPlace,
} from '../../../packages/core/test/calls/result/compare-results.js';
import {
  RESULT_ROWS,
  SERVER,
  TOOL_LIMITS,
  type ResultRow,
} from '../../../packages/core/test/calls/result/rows.js';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { reply, text, toolUse } from '../support/inboard.js';
import { onStage, type Stage } from '../support/stage.js';
import { readRest } from '../support/talk.js';

type Entry = Record<string, unknown> & { message?: { content?: unknown } };

interface Live {
  /** The block that the model was sent, by the id of the call. */
  blocks: Map<string, unknown>;
  entries: Entry[];
  place: RowPlace;
}

/**
 * Rows that are called in one message, because every request repeats the whole conversation; they run one after the other. Not too
 * many characters in a message: the older CLI takes them for more than fits. What ends the turn is alone: the rest would not be sent.
 */
function groupRows(rows: readonly ResultRow[]): number[][] {
  const groups: number[][] = [];
  let [group, chars]: [number[], number] = [[], 0];
  for (const [index, row] of rows.entries()) {
    const length = JSON.stringify(row).length;
    if (group.length > 0 && (group.length === 20 || chars + length > 200_000 || row.denial?.interrupt)) {
      groups.push(group);
      [group, chars] = [[], 0];
    }
    group.push(index);
    chars += length;
  }
  return [...groups, group];
}

/** Calls a tool for each row, one after the other. */
async function playRows(
  cli: Cli,
  rows: readonly ResultRow[],
  env: Record<string, string>,
  look: (live: Live) => void | Promise<void>,
): Promise<void> {
  const server = SERVER.replaceAll('.', '_');
  const calls = rows.map((row, index) =>
    toolUse(`mcp__${server}__${toolOf(row)}`, { row: index }, { id: idOf(index) }),
  );
  const script = groupRows(rows).map((indexes) => reply(...indexes.map((index) => calls[index] ?? {})));
  if (rows.at(-1)?.denial?.interrupt !== true) script.push(text('Done.'));
  const options = {
    mcpServers: { [SERVER]: { type: 'sdk' as const, name: SERVER, instance: createRawServer(rows) } },
    allowedTools: (['give', 'wide', 'tiny'] as const).map((tool) => `mcp__${server}__${tool}`),
    // The older CLI reminds the model of its tools inside of results.
    tools: [],
    canUseTool: (_: string, input: Record<string, unknown>) =>
      Promise.resolve({ behavior: 'deny' as const, message: '', ...rows[Number(input['row'])]?.denial }),
  };
  // As the CLI itself estimates; the real API counts.
  const countTokens = ({ body }: { body: { messages?: readonly { content: unknown }[] } }): number =>
    countQuarter(body.messages?.[0]?.content);
  await onStage(
    cli,
    { script, countTokens, env: { ENABLE_TOOL_SEARCH: 'false', ...env }, options },
    async (stage) => {
      const { query } = stage.start('Go.');
      const { messages } = await readRest(query);
      const sessionId = String(messages.find((message) => 'session_id' in message)?.['session_id']);
      await query.close();
      const { entries, folder } = readTranscript(stage, sessionId);
      const place = { cliVersion: cli.version, resultsFolder: join(folder, sessionId, 'tool-results'), env };
      await look({ blocks: collectBlocks(stage), entries, place });
    },
  );
}

/** Compares each row of a live session with ours, all before it complains; what was seen, row by row. */
function compareRows(rows: readonly ResultRow[], { blocks, entries, place }: Live, cli: Cli): unknown[] {
  const wrong: unknown[] = [];
  const seen = rows.map((row, index) => {
    const { name } = row;
    const ours = describeShown(showRow(row, index, place), index, place);
    const entry = entries.find(({ message }) => findBlock(message?.content, idOf(index)));
    const live = describeEntry(entry ?? { message: { content: [] } }, place, (path) => readFileSync(path));
    const why = cli.isOld ? row.differs?.old : row.differs?.new;
    if (why !== undefined) {
      if (isSame(ours.block, live.block)) wrong.push({ name, problem: `no longer differs: ${why}` });
      return { name, differs: why };
    }
    const sent = asSent(normalize(blocks.get(idOf(index)), place.resultsFolder));
    // Nothing is sent after a denial that ends the turn.
    const isSent = row.denial?.interrupt === true || isSame(asSent(ours.block), sent);
    if (!isSent) wrong.push({ name, ours: shorten(ours.block), sent: shorten(sent) });
    if (!isSame(ours, live)) wrong.push({ name, ours: shorten(ours), live: shorten(live) });
    return { name, seen: shorten(live) };
  });
  expect(wrong).toEqual([]);
  return seen;
}

async function showEveryKind(cli: Cli): Promise<void> {
  await playRows(cli, RESULT_ROWS, {}, (live) => {
    const recorded = compareRows(RESULT_ROWS, live, cli);
    const last = live.entries.findLast(({ type }) => type === 'user');
    expect(last?.message?.content).toEqual([{ type: 'text', text: INTERRUPTED_NOTE }]);
    if (process.env['INBOARD_RECORD_RESULTS']) {
      const { resultsFolder } = live.place;
      // Of the same length, because that counts.
      const stand = '/recorded/'.padEnd(resultsFolder.length, 'r');
      const file = new URL(`../../fixtures/tool-results/${cli.version}.json`, import.meta.url);
      writeFileSync(
        file,
        `${JSON.stringify({ cliVersion: cli.version, resultsFolder: stand, rows: recorded }, null, 1)}\n`,
      );
    }
  });
}

const FEW: readonly ResultRow[] = RESULT_ROWS.filter(({ name }) =>
  ['a text', '120000 characters', 'an image, then too many tokens', 'long structured content'].includes(name),
);

async function obeyTheVariable(cli: Cli): Promise<void> {
  expect(FEW).toHaveLength(4);
  for (const tokens of ['1000', '100000']) {
    await playRows(cli, FEW, { MAX_MCP_OUTPUT_TOKENS: tokens }, (live) => void compareRows(FEW, live, cli));
  }
}

export const shownResultCases: CaseSet = {
  'shows a recorded result of every kind as a live call shows it': showEveryKind,
  'obeys MAX_MCP_OUTPUT_TOKENS': obeyTheVariable,
};

// Any `connect` will do: this one answers with the row as it is, also where our own server would have mended it.
function createRawServer(rows: readonly ResultRow[]): {
  connect: (transport: RawTransport) => Promise<void>;
} {
  const tools = Object.entries(TOOL_LIMITS).map(([name, limit]) => ({
    name,
    description: name,
    inputSchema: { type: 'object', properties: {} },
    ...(limit === undefined ? {} : { _meta: { 'anthropic/maxResultSizeChars': limit } }),
  }));
  const answer = ({ method, params }: RawMessage): Record<string, unknown> => {
    if (method === 'tools/list') return { result: { tools } };
    if (method !== 'tools/call') {
      const serverInfo = { name: SERVER, version: '1' };
      return { result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo } };
    }
    const row = rows[Number(params?.arguments?.row)];
    return row?.error ? { error: row.error } : { result: row?.result };
  };
  return {
    connect(transport) {
      transport.onmessage = (message) => {
        if (message.id !== undefined)
          void transport.send({ jsonrpc: '2.0', id: message.id, ...answer(message) });
      };
      return Promise.resolve();
    },
  };
}

interface RawMessage {
  id?: unknown;
  method?: string;
  params?: { arguments?: { row?: unknown } };
}

interface RawTransport {
  onmessage?: ((message: RawMessage) => void) | undefined;
  send(message: Record<string, unknown>): Promise<void>;
}

function readTranscript({ home }: Stage, sessionId: string): { entries: Entry[]; folder: string } {
  const projects = join(home.configDir, 'projects');
  const folder = readdirSync(projects)
    .map((name) => join(projects, name))
    .find((path) => readdirSync(path).includes(`${sessionId}.jsonl`));
  if (folder === undefined) throw new Error(`There is no transcript of ${sessionId}`);
  const lines = readFileSync(join(folder, `${sessionId}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  return { entries: lines.map((line) => JSON.parse(line) as Entry), folder };
}

function collectBlocks({ model }: Stage): Map<string, unknown> {
  const blocks = new Map<string, unknown>();
  for (const { messages } of model.conversation) {
    for (const { content } of messages.slice(-3)) {
      if (typeof content === 'string') continue;
      for (const { cache_control: _, ...block } of content) {
        if (block.type === 'tool_result') blocks.set(String(block['tool_use_id']), block);
      }
    }
  }
  return blocks;
}

function findBlock(content: unknown, id: string): boolean {
  return (
    Array.isArray(content) && content.some((block: { tool_use_id?: unknown }) => block.tool_use_id === id)
  );
}

function countQuarter(content: unknown): number {
  const length = (part: unknown): number => {
    if (typeof part === 'string') return Math.round(part.length / 4);
    const { type, text: words = '' } = part as { type: string; text?: string };
    return type === 'image' ? 1600 : Math.round(words.length / 4);
  };
  return Array.isArray(content)
    ? content.map(length).reduce((sum, count) => sum + count, 0)
    : length(content);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
