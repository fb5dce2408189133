// What a turn with one tool call costs PostgreSQL in a warm conversation: the guard of its statements, which needs a database.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { countStatements } from '../../../bench/cluster/count-statements.mjs';
import { createSdkMcpServer } from '../../../packages/core/src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../../packages/core/src/answer/mcp/tool/tool.js';
import { createCluster } from '../../../packages/cluster/src/create-cluster.js';
import { nameSchema, openJournal } from '../support/journals.js';

const FAKE_CLI = fileURLToPath(
  new URL('../../../scripts/support/cluster-chaos/programs/fake-cli.cjs', import.meta.url),
);
const TURNS = 15;
/**
 * Of a turn in the middle, which has 7 to 9: what is written together depends on what comes together. More than these means that
 * something is written or read apart that was not before.
 */
const MOST_STATEMENTS = 10;

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'inboard-warm-turn-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The statements of each turn behind the first, by name. */
async function countTurns(): Promise<string[][]> {
  const work = tool({
    name: 'work',
    description: 'Does nothing',
    inputSchema: { k: 'string', n: 'number', call: 'number' },
    run: () => 'done',
  });
  await using cluster = createCluster({
    journal: openJournal({ schema: nameSchema('warm') }),
    agents: {
      desk: () => ({
        pathToClaudeCodeExecutable: FAKE_CLI,
        cwd: home,
        env: { HOME: home, PATH: process.env['PATH'] ?? '', CHAOS_BEAT_MS: '1' },
        allowedTools: ['mcp__shop__work'],
        mcpServers: { shop: createSdkMcpServer({ name: 'shop', alwaysLoad: true, tools: [work] }) },
      }),
    },
  });
  await cluster.work({ keepWarmMs: 60_000 });
  const conversation = cluster.conversation('warm', { agent: 'desk' });
  const counter = countStatements();
  const counted: string[][] = [];
  try {
    for (let n = 0; n <= TURNS; n += 1) {
      const facts = { k: 'warm', n, calls: 1, ask: false, ms: 0 };
      const turn = await conversation.send(`chaos ${JSON.stringify(facts)}`);
      expect(await turn.outcome()).toMatchObject({ ok: true });
      // What a turn leaves to be done behind it is counted, too.
      await sleep(50);
      const names = counter.take();
      if (n > 0) counted.push(names);
    }
  } finally {
    counter.end();
  }
  return counted;
}

it('costs a warm turn no more than so many statements, and none that only looks', async () => {
  const counted = (await countTurns()).toSorted((one, other) => one.length - other.length);
  const middle = counted[Math.floor(TURNS / 2)] ?? [];
  expect(middle.length, middle.join('\n')).toBeLessThanOrEqual(MOST_STATEMENTS);
  const count = (name: string): number =>
    middle
      .join(' + ')
      .split(' + ')
      .filter((each) => each === name).length;
  expect(
    Object.fromEntries(
      ['enqueue_by', 'next_turn', 'begin_call_contents', 'end_call', 'finish_turn', 'read turns'].map(
        (name) => [name, count(name)],
      ),
    ),
  ).toEqual({
    enqueue_by: 1,
    next_turn: 1,
    begin_call_contents: 1,
    end_call: 1,
    finish_turn: 1,
    'read turns': 0,
  });
}, 60_000);
