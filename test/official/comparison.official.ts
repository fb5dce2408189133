// What the README's table says of the official SDK and of ours, tried on both: each case is a row whose cells differ. When a
// newer official SDK makes one fail, the table is out of date.
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createFakeCli, text, toolUse, type FakeScript } from '../../packages/inboard/src/testing.js';
import * as inboard from '../../packages/inboard/src/index.js';
import { createDeferred } from '../../packages/core/src/util/deferred.js';
import { loadBoth, type AnyQuery, type AnySdk } from './record-query.js';

let sdks: { ours: AnySdk; official: AnySdk };
beforeAll(async () => {
  sdks = await loadBoth();
});

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
  script: FakeScript,
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

const both = [
  ['ours', true],
  ['official', false],
] as const;

describe('the rows of the README', () => {
  it.each(both)('one server in two queries at once: %s, %s', async (name, isServed) => {
    const sdk = sdks[name];
    const firstRuns = createDeferred<void>();
    const secondIsOver = createDeferred<void>();
    const called: string[] = [];
    const shop = createShop(sdk, { who: z.string() }, async (input) => {
      called.push((input as { who: string }).who);
      if (called.length === 1) {
        firstRuns.resolve();
        await secondIsOver.promise;
      }
      return { content: [{ type: 'text', text: 'done' }] };
    });
    const first = await start(sdk, [toolUse('mcp__shop__wait', { who: 'first' }), text('ok')], shop);
    const firstEnds = readAll(first.query);
    await firstRuns.promise;
    const second = await start(sdk, [toolUse('mcp__shop__wait', { who: 'second' }), text('ok')], shop);
    await readAll(second.query);
    secondIsOver.resolve();
    await firstEnds;
    await Promise.allSettled([first.close(), second.close()]);
    expect(called).toEqual(isServed ? ['first', 'second'] : ['first']);
  });

  it.each(both)('a schema that is plain JSON Schema: %s, %s', async (name, isTaken) => {
    const sdk = sdks[name];
    const seen: object[] = [];
    let problem: unknown;
    try {
      const schema = { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] };
      const shop = createShop(sdk, schema, (input) => {
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
    expect(seen).toEqual(isTaken ? [{ who: 'Ada' }] : []);
    if (isTaken) expect(problem).toBeUndefined();
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

  it.each([['ours'], ['official']] as const)('an interrupt stops a running tool: %s', async (name) => {
    const sdk = sdks[name];
    const runs = createDeferred<void>();
    const stopped = createDeferred<void>();
    const shop = createShop(sdk, { who: z.string() }, async (_, { signal }) => {
      signal?.addEventListener('abort', () => stopped.resolve());
      runs.resolve();
      await stopped.promise;
      return { content: [{ type: 'text', text: 'stopped' }] };
    });
    const { query, close } = await start(sdk, [toolUse('mcp__shop__wait', { who: 'Ada' }), text('ok')], shop);
    const ends = readAll(query);
    await runs.promise;
    await (query['interrupt'] as () => Promise<unknown>)();
    await stopped.promise;
    await ends;
    await close().catch(() => {});
  });
});
