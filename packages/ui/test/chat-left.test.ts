// What the readers of an answer are told when its server closes and the next server goes on with it.
import { expect, it } from 'vitest';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { createSdkMcpServer, tool } from '@inboard/inboard/index.js';
import { text, toolUse } from '@inboard/inboard/testing.js';
import { readEvents, typesOf } from './chunks.js';
import { createScene, type Scene, type SceneOptions } from './chat-scene.js';
import type { UiChunk } from '@inboard/inboard/ui.js';

const WAITS = { type: 'finish', finishReason: 'tool-calls' };

/** A chat whose tool begins, and never ends. */
function openShop(more: SceneOptions = {}): Scene & { begun: Promise<void> } {
  const begun = createDeferred<void>();
  const run = (): Promise<string> => {
    begun.resolve();
    return new Promise(() => {});
  };
  const ship = tool({ name: 'ship', description: 'Ships', inputSchema: { order: 'string' }, run });
  const options = { mcpServers: { shop: createSdkMcpServer({ name: 'shop', tools: [ship] }) } };
  const scene = createScene([toolUse('mcp__shop__ship', { order: '7' }), text('Done.')], { options, ...more });
  return { ...scene, begun: begun.promise };
}

/** Reads until this is told, and goes on. Returns a function that gives all chunks at the end. */
async function read(response: Response, until: string): Promise<() => Promise<UiChunk[]>> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let events = '';
  const next = async (): Promise<boolean> => {
    const { done, value } = await reader.read();
    events += decoder.decode(value, { stream: true });
    return !done;
  };
  while (!events.includes(until) && (await next()));
  const ended = (async () => {
    while (await next());
  })();
  return async () => {
    await ended;
    return await readEvents(new Response(events));
  };
}

it('ends for a page that follows, with the question open', async () => {
  const { chat, page } = openShop();
  await page.send('Ship 7.');
  const follow = await read(await page.fetch('/c1/stream?follow=true'), 'tool-approval-request');
  await chat.close();
  const chunks = await follow();
  expect(typesOf(chunks).slice(-3)).toEqual(['tool-approval-request', 'finish-step', 'finish']);
  expect(chunks.at(-1)).toEqual(WAITS);
});

it('ends so for the page that sent the message, if the question has just come', async () => {
  const { chat, page } = openShop({ chat: { settleMs: 60_000 } });
  const ask = await read(await page.post('Ship 7.'), 'tool-approval-request');
  await chat.close();
  const chunks = await ask();
  expect(typesOf(chunks)).not.toContain('tool-output-error');
  expect(chunks.at(-1)).toEqual(WAITS);
});

it('breaks off without a word of its call, if nobody is asked', async () => {
  const { chat, page, begun } = openShop();
  await page.send('Ship 7.');
  const [approvalId] = page.approvals;
  await page.fetch('/c1/approvals', { approvalId, approved: true });
  await begun;
  const follow = await read(await page.fetch('/c1/stream?follow=true'), 'tool-approval-response');
  await chat.close({ abandon: true });
  const chunks = await follow();
  expect(typesOf(chunks)).not.toContain('tool-output-error');
  expect(chunks.at(-1)).toMatchObject({ type: 'error' });
});
