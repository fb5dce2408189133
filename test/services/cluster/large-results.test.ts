// A worker whose tool returns far more than a model reads: on the real CLI and PostgreSQL, beside five other conversations.
import { describe, expect, inject, it } from 'vitest';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';
import { createCluster } from '../../../src/cluster/create-cluster.js';
import type { WorkerEvent } from '../../../src/cluster/work/worker-event.js';
import { createFakeCli } from '../../../src/testing/fake-cli/fake-cli.js';
import { startOffline } from '../../../src/testing/offline.js';
import { gate } from '../../../src/testing/script/gate.js';
import { held, text, toolUse } from '../../../src/testing/script/reply.js';
import { nameSchema, openJournal, runSql } from '../support/journals.js';

const MB = 2 ** 20;
const LINE = 'order 17, "paid", 12.50 €\n';
const LARGE_TEXT = LINE.repeat(Math.ceil((48 * MB) / Buffer.byteLength(LINE)));
const ROWS = Array.from({ length: 48 * 1024 }, (_, id) => ({ id, note: LINE.repeat(36) }));

const RESULTS = {
  'a text': LARGE_TEXT,
  'structured content': { content: [], structuredContent: { rows: ROWS } },
  'an error': { isError: true, content: [{ type: 'text' as const, text: LARGE_TEXT }] },
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

describe.each(Object.entries(RESULTS))('%s of 48 MB', (_name, result) => {
  it('costs no conversation of the worker its lease, is kept once, and can be read whole', async () => {
    const schema = nameSchema('large');
    await using offline = await startOffline([toolUse('mcp__shop__list', {}), text('Listed.')]);
    const list = tool({ name: 'list', description: 'Lists', inputSchema: {}, run: () => result });
    const shop = createSdkMcpServer({ name: 'shop', tools: [list], alwaysLoad: true });
    const letGo = gate();
    const events: WorkerEvent[] = [];
    await using cluster = createCluster({
      agents: {
        large: () => ({ ...offline.options, mcpServers: { shop }, allowedTools: [shop], onWarning: () => {} }),
        small: () => ({
          onWarning: () => {},
          transport: (request) => createFakeCli([held(text('Small.'), letGo)]).transport(request),
        }),
      },
      journal: openJournal({ schema, connectionString: inject('postgresUrl') }),
    });
    const lag: number[] = [];
    let seen = performance.now();
    const pulse = setInterval(() => {
      const now = performance.now();
      if (now - seen > 250) lag.push(Math.round(now - seen));
      seen = now;
    }, 20);
    const worker = await cluster.work({
      concurrency: 6,
      leaseMs: 3000,
      onEvent: (event) => { events.push(event); if (['lost','trouble','turn-started'].includes(event.type)) console.log(Math.round(performance.now()), event.type, (event as any).key, (event as any).why ?? (event as any).how, String((event as any).error), 'lags', lag.join(' ')); },
    });
    const small = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => cluster.conversation(`small-${n}`, { agent: 'small' }).send('Wait')),
    );
    await expect.poll(async () => (await cluster.stats()).turns.running).toBe(5);
    const chat = cluster.conversation('large', { agent: 'large' });
    const started = performance.now();
    expect(await (await chat.send('List')).outcome()).toMatchObject({ ok: true, text: 'Listed.' });
    clearInterval(pulse);
    console.log(_name, 'ms', Math.round(performance.now() - started), 'lags', lag, await countBytes(schema));
    letGo.open();
    for (const turn of small) expect(await turn.outcome()).toMatchObject({ ok: true, text: 'Small.' });
    console.log(events.filter(({ type }) => type === 'lost' || type === 'trouble').map((e)=>[e.type,(e as any).key,(e as any).why ?? String((e as any).error).slice(0,100)].join(' ')).join('\n'));
    expect(events.filter(({ type }) => type === 'lost' || type === 'trouble')).toEqual([]);
    expect((await cluster.stats()).takeovers).toBe(0);
    await worker.close();
  }, 180_000);
});
