// The option "hookFailure" holds in every way to start a CLI: the same guard, which always throws, and the same call.
import { expect, it } from 'vitest';
import { createCluster } from '@inboard/inboard/cluster.js';
import {
  createSdkMcpServer,
  createSessionGroup,
  createWarmPool,
  openSession,
  query,
  run,
  startup,
  tool,
  type Options,
} from '@inboard/inboard/index.js';
import { createFakeCli, text, toolUse, type FakeScript } from '@inboard/inboard/testing.js';
import { openEditor } from '../../../acp/test/open-editor.js';
import { createScene } from '../../../ui/test/chat-scene.js';

const SCRIPT: FakeScript = [toolUse('mcp__bank__pay', {}), text('Done.')];

/** Runs one prompt with the options, on a fake CLI of its own or of its scene. */
type Way = (options: Options) => Promise<unknown>;

const onFake =
  (use: (options: Options) => Promise<unknown>): Way =>
  async (options) => {
    const fake = createFakeCli(SCRIPT);
    await use({ ...options, transport: fake.transport });
    await fake.close();
  };

const prompt = 'Pay.';

const WAYS: Record<string, Way> = {
  query: onFake(async (options) => {
    for await (const _ of query({ prompt, options }));
  }),
  run: onFake((options) => run({ prompt, options })),
  startup: onFake(async (options) => {
    const warm = await startup({ options });
    for await (const _ of warm.query(prompt));
  }),
  'a warm pool': async (options) => {
    const fake = createFakeCli(SCRIPT, { allowEarlyEnd: true });
    const pool = createWarmPool({ size: 1, options: { ...options, transport: fake.transport } });
    for await (const _ of pool.query({ prompt }));
    await pool.close();
    await fake.close({ verify: false });
  },
  openSession: onFake(async (options) => {
    const session = openSession({ options });
    await session.send(prompt).outcome();
    await session.close();
  }),
  'a session group': onFake(async (options) => {
    const group = createSessionGroup({ maxRunning: 1, options });
    await group.open().send(prompt).outcome();
    await group.closeAll();
  }),
  'an agent of a cluster': onFake(async (options) => {
    const cluster = createCluster({ agents: { bank: () => options } });
    await cluster.work();
    const chat = cluster.conversation('c1', { agent: 'bank' });
    await (await chat.send(prompt, { id: 'm1' })).outcome();
    await cluster.close();
  }),
  'a chat for front ends': async (options) => {
    const { page } = createScene(SCRIPT, { options });
    await page.send(prompt);
  },
  'an editor': async (options) => {
    const editor = await openEditor({ script: SCRIPT, service: { options } });
    const { sessionId } = await editor.open();
    await editor.prompt(sessionId, prompt);
  },
};

async function pay(way: Way, hookFailure: Options['hookFailure']) {
  let paid = 0;
  const codes: string[] = [];
  const bank = createSdkMcpServer({
    name: 'bank',
    tools: [tool({ name: 'pay', description: 'Pays', inputSchema: {}, run: () => `paid ${(paid += 1)}` })],
  });
  await way({
    mcpServers: { bank },
    allowedTools: ['mcp__bank'],
    hooks: { PreToolUse: [{ hooks: [() => Promise.reject(new Error('broken'))] }] },
    hookFailure,
    onWarning: ({ code }) => codes.push(code),
  });
  return { paid, codes: codes.filter((code) => code.startsWith('HOOK')) };
}

it.each(Object.entries(WAYS))('%s: the tool runs only without it', async (_name, way) => {
  expect(await pay(way, undefined)).toEqual({ paid: 1, codes: ['HOOK_FAILED'] });
  expect(await pay(way, 'refuse')).toEqual({ paid: 0, codes: ['HOOK_FAILED'] });
});

it('a query of a pool cannot change it any more, and is told so', async () => {
  const fake = createFakeCli(SCRIPT, { allowEarlyEnd: true });
  const pool = createWarmPool({ size: 1, options: { transport: fake.transport } });
  expect(() => pool.query({ prompt, options: { hookFailure: 'refuse' } })).toThrow('"hookFailure"');
  await pool.close();
  await fake.close({ verify: false });
});
