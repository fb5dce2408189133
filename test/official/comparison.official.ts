// What the comparison says of the official SDK and of ours, tried on both by the probes of test/peers. When a newer official SDK makes
// one fail, the table is out of date.
import { beforeAll, describe, expect, it } from 'vitest';
import * as inboard from '../../packages/inboard/src/index.js';
import * as testing from '../../packages/inboard/src/testing.js';
import * as trace from '../../packages/inboard/src/trace.js';
import type { Comparison } from '../../scripts/support/peers/comparison-page.mjs';
import { readProjectFile } from '../package/project.js';
import { createCliProbes } from '../peers/probes/cli-sdk.mjs';
import { loadBoth, type AnyQuery, type AnySdk } from './record-query.js';

let sdks: { ours: AnySdk; official: AnySdk };
beforeAll(async () => {
  sdks = await loadBoth();
});

const { createFakeCli, text, toolUse } = testing;

type Make = (...given: unknown[]) => unknown;

/** A server "shop" with one tool "wait". */
function createShop(
  sdk: AnySdk,
  schema: unknown,
  handler: (input: object, extra: { signal?: AbortSignal }) => unknown,
): object {
  const wait = (sdk['tool'] as Make)('wait', 'Waits', schema, handler);
  return (sdk['createSdkMcpServer'] as Make)({ name: 'shop', version: '1.0.0', tools: [wait] }) as object;
}

/** Starts a query of an SDK on a fake CLI that plays the script. */
async function start(
  sdk: AnySdk,
  script: testing.FakeScript,
  shop: object,
): Promise<{ query: AnyQuery; close: () => Promise<void> }> {
  const fake = createFakeCli(script, { strict: false, allowEarlyEnd: true });
  const query = sdk.query({
    prompt: 'Go.',
    options: {
      pathToClaudeCodeExecutable: await fake.executable(),
      env: { PATH: process.env['PATH'] },
      mcpServers: { shop },
      allowedTools: ['mcp__shop__wait'],
      ...(sdk.query === (inboard.query as unknown) && { claudeCodeVersion: '2.1.325', onWarning: () => {} }),
    },
  });
  const close = async (): Promise<void> => {
    await query.close();
    await fake.close();
  };
  return { query, close };
}

/** Reads to the end. An error is an end, too: what the tool saw is what counts. */
async function readAll(query: AnyQuery): Promise<string[]> {
  const types: string[] = [];
  try {
    for await (const message of query) types.push(message.type);
  } catch (error) {
    types.push(String(error));
  }
  return types;
}

const own = { ownOptions: { claudeCodeVersion: '2.1.325', onWarning: () => {} } };
const { rows } = JSON.parse(readProjectFile('test/peers/comparison.json')) as Comparison;
const tried = rows
  .map(({ id, cells }) => ({ id, ours: cells['inboard'], official: cells['official-ts'] }))
  .filter(({ id, ours, official }) => id in createCliProbes({ sdk: {}, testing }) && ours && official);

describe('the rows of the comparison', () => {
  it.each(tried.filter(({ official }) => official?.how === 'program'))('$id, official', async (row) => {
    const probes = createCliProbes({ sdk: sdks.official, testing });
    expect(await probes[row.id]?.()).toBe(row.official?.value);
  });

  it.each(tried.filter(({ ours }) => ours?.how === 'program'))('$id, ours', async (row) => {
    const ownKit = { ...testing, ...trace };
    const probes = createCliProbes({ sdk: sdks.ours, testing, ownKit, ...own });
    expect(await probes[row.id]?.()).toBe(row.ours?.value);
  });

  it.each([['ours'], ['official']] as const)(
    'a constructor as the type of a field gives no tool that can be called: %s',
    async (name) => {
      const sdk = sdks[name];
      const seen: object[] = [];
      let problem: unknown;
      try {
        const shop = createShop(sdk, { who: String }, (input) => {
          seen.push(input);
          return { content: [{ type: 'text', text: 'done' }] };
        });
        const { query, close } = await start(
          sdk,
          [toolUse('mcp__shop__wait', { who: 'Ada' }), text('ok')],
          shop,
        );
        await readAll(query);
        await close().catch(() => {});
      } catch (error) {
        problem = error;
      }
      expect(seen).toEqual([]);
      if (name === 'ours') {
        expect(problem).toBeInstanceOf(inboard.SchemaError);
        expect(String(problem)).toContain("Write 'string'.");
      }
    },
  );
});
