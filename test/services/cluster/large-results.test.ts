// A worker whose tool returns far more than a model reads: on the real CLI and PostgreSQL, beside five other conversations.
import { describe, expect, inject, it } from 'vitest';
import { createSdkMcpServer } from '../../../packages/core/src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../../packages/core/src/answer/mcp/tool/tool.js';
import { createCluster } from '../../../packages/cluster/src/create-cluster.js';
import type { ClusterEvent } from '../../../packages/cluster/src/journal/records.js';
import type { WorkerEvent } from '../../../packages/cluster/src/work/host/worker-event.js';
import { createFakeCli } from '../../../packages/testing/src/fake-cli/fake-cli.js';
import { startOffline } from '../../../packages/testing/src/offline.js';
import { gate } from '../../../packages/testing/src/script/gate.js';
import { held, text, toolUse } from '../../../packages/testing/src/script/reply.js';
import { nameSchema, openJournal, runSql } from '../support/journals.js';

const MB = 2 ** 20;
const LINE = 'order 17, "paid", 12.50 €\n';
const LARGE_TEXT = LINE.repeat(Math.ceil((48 * MB) / Buffer.byteLength(LINE)));
const ROWS = Array.from({ length: 48 * 1024 }, (_, id) => ({ id, note: LINE.repeat(36) }));

/** Each with what the model reads of it after a restart, from the transcript. */
const RESULTS = {
  'a text': { result: LARGE_TEXT, read: 'exceeds maximum allowed tokens' },
  'structured content': {
    result: { content: [], structuredContent: { rows: ROWS } },
    read: 'exceeds maximum allowed tokens',
  },
  'an error': {
    result: { isError: true, content: [{ type: 'text' as const, text: LARGE_TEXT }] },
    read: 'characters truncated',
  },
};

/** Bytes of whatever a journal keeps of values, in whichever table. */
async function countBytes(schema: string): Promise<number> {
  const columns = await runSql(
    `select c.table_name, c.column_name from information_schema.columns c
    join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = $1 and c.data_type = 'text' and t.table_type = 'BASE TABLE'`,
    [schema],
  );
  let bytes = 0;
  for (const { table_name: table, column_name: column } of columns) {
    const [row] = await runSql(
      `select coalesce(sum(octet_length("${String(column)}")), 0)::float8 as n from "${schema}"."${String(table)}"`,
    );
    bytes += row?.['n'] as number;
  }
  return bytes;
}

describe.each(Object.entries(RESULTS))('%s of 48 MB', (_name, { result, read }) => {
  it('costs no conversation of the worker its lease, is kept once, and can be read whole', async () => {
    const schema = nameSchema('large');
    await using offline = await startOffline([
      toolUse('mcp__shop__list', {}),
      text('Listed.'),
      text('Again.'),
    ]);
    const list = tool({ name: 'list', description: 'Lists', inputSchema: {}, run: () => result });
    const shop = createSdkMcpServer({ name: 'shop', tools: [list], alwaysLoad: true });
    const letGo = gate();
    const onWarning = (): void => {};
    const events: WorkerEvent[] = [];
    const journal = openJournal({ schema, connectionString: inject('postgresUrl') });
    await using cluster = createCluster({
      agents: {
        large: () => ({ ...offline.options, mcpServers: { shop }, allowedTools: [shop], onWarning }),
        small: () => ({
          onWarning,
          transport: (request) => createFakeCli([held(text('Small.'), letGo)]).transport(request),
        }),
      },
      journal,
    });
    const options = { concurrency: 6, leaseMs: 3000, onEvent: (event: WorkerEvent) => events.push(event) };
    const worker = await cluster.work(options);
    const small = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => cluster.conversation(`small-${n}`, { agent: 'small' }).send('Wait')),
    );
    await expect.poll(async () => (await cluster.stats()).turns.running).toBe(5);
    const chat = cluster.conversation('large', { agent: 'large' });
    const { outcome } = await (await chat.send('List')).outcome().then((ended) => ({ outcome: ended }));
    expect(events.filter(({ type }) => type === 'lost' || type === 'trouble')).toEqual([]);
    expect(outcome).toMatchObject({ ok: true, text: 'Listed.' });
    letGo.open();
    for (const turn of small) expect(await turn.outcome()).toMatchObject({ ok: true, text: 'Small.' });
    expect((await cluster.stats()).takeovers).toBe(0);

    const wire = typeof result === 'string' ? { content: [{ type: 'text', text: result }] } : result;
    expect((await countBytes(schema)) / Buffer.byteLength(JSON.stringify(wire))).toBeLessThan(1.05);
    const history = await journal.history('large');
    expect(history?.calls.map((call) => call.result)).toEqual([wire]);
    const large = history?.events.filter((event) => event.type === 'message' && event.shortened) ?? [];
    const isEchoed = typeof result !== 'string' && 'structuredContent' in result;
    expect(large).toHaveLength(isEchoed ? 1 : 0);
    for (const event of large) {
      expect(JSON.stringify(event).length).toBeLessThan(50_000);
      const whole = (await chat.readWhole(event.id)) as Extract<ClusterEvent, { type: 'message' }>;
      expect(whole.shortened).toBeUndefined();
      expect(whole.message).toMatchObject({ tool_use_result: { structuredContent: { rows: ROWS } } });
    }

    // Another worker goes on from the transcript.
    await worker.close();
    await cluster.work(options);
    expect(await (await chat.send('Again?')).outcome()).toMatchObject({ ok: true, text: 'Again.' });
    expect(JSON.stringify(offline.model.conversation.at(-1)?.body)).toContain(read);
    expect(await journal.remove('large')).toBe(true);
    expect(await countBytes(schema)).toBeLessThan(MB);
  }, 240_000);
});
