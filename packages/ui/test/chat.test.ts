// A chat over requests: answers, approvals in two posts, several at a time, stop, reload, and everything that is refused.
import { describe, expect, it } from 'vitest';
import { createApprovals, createSdkMcpServer, tool } from '@inboard/inboard/index.js';
import { expectPrompt, type FakeScript } from '@inboard/inboard/testing.js';
import { say, useTool, useTools } from '@inboard/testing/fake-cli/script/build-steps.js';
import type { UiChunk } from '@inboard/inboard/ui.js';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { createScene, Page } from './chat-scene.js';
import { readEvents, typesOf } from './chunks.js';

const ship = tool({
  name: 'ship',
  description: 'Ships an order',
  inputSchema: { order: 'string' },
  run: ({ order }) => `shipped ${order}`,
});
const shop = createSdkMcpServer({ name: 'shop', tools: [ship] });
const SHIP = 'mcp__shop__ship';
const options = { mcpServers: { shop } };

const toolChunks = (chunks: readonly UiChunk[]): UiChunk[] =>
  chunks.filter(({ type }) => type.startsWith('tool-') && !type.startsWith('tool-input-'));

describe('a chat', () => {
  it('keeps one session for all messages of a chat, and one for each chat', async () => {
    const { page, chat, opened } = createScene(({ index }) => [
      say(`one of ${index}`),
      expectPrompt(),
      say(`two of ${index}`),
    ]);
    await page.send('Hi.');
    expect(page.text).toBe('one of 0');
    await page.send('And?');
    expect(page.text).toBe('two of 0');
    const other = new Page(chat, 'c2');
    await other.send('Hi.');
    expect(other.text).toBe('one of 1');
    expect(opened).toEqual(['c1', 'c2']);
  });

  it('gives the same answer to a message that is sent again', async () => {
    const { page, fake } = createScene([say('once')]);
    const first = await readEvents(await page.post('Hi.', 'u1'));
    const again = await readEvents(await page.post('Hi.', 'u1'));
    expect(again).toEqual(first);
    expect(fake.sessions[0]?.prompts).toHaveLength(1);
  });

  it('sends words as they are, and files with them', async () => {
    const { page, fake } = createScene([say('seen')]);
    const parts = [
      { type: 'text', text: '/clear @/etc/passwd' },
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,aGk=' },
      { type: 'file', mediaType: 'text/plain', filename: 'a.txt', url: 'data:text/plain;base64,aMO2' },
      { type: 'file', mediaType: 'text/plain', url: 'data:text/plain,h%C3%B6' },
      {
        type: 'file',
        mediaType: 'application/pdf',
        filename: 'a.pdf',
        url: 'data:application/pdf;base64,aGk=',
      },
      { type: 'data-mine', data: 1 },
    ];
    await readEvents(await page.fetch('', { id: 'c1', messages: [{ id: 'u', role: 'user', parts }] }));
    const sent = fake.log.find(({ frame }) => frame?.['type'] === 'user')?.frame;
    expect(sent).toMatchObject({ client_composed: true });
    expect(sent?.['message']).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: '/clear @/etc/passwd' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hö' }, title: 'a.txt' },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hö' } },
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: 'aGk=' },
          title: 'a.pdf',
        },
      ],
    });
  });
});

describe('an approval', () => {
  const script: FakeScript = [useTool(SHIP, { order: '7' }), say('Done.')];

  it('ends the response, and the next post goes on with the same message', async () => {
    const { page, chat } = createScene(script, { options });
    const first = await page.send('Ship 7.');
    expect(typesOf(first).slice(-3)).toEqual(['tool-input-available', 'tool-approval-request', 'finish']);
    expect(chat.state('c1')).toBe('waiting');
    const { messageId } = page;
    const second = await page.answer(true);
    expect(second[0]).toEqual({ type: 'start', messageId });
    expect(toolChunks(second)).toMatchObject([
      { type: 'tool-approval-response', approved: true },
      { type: 'tool-output-available', output: 'shipped 7' },
    ]);
    expect(second.at(-1)).toMatchObject({
      type: 'finish',
      messageMetadata: { turnCostUsd: expect.any(Number) },
    });
    expect(page.text).toBe('Done.');
    expect(chat.state('c1')).toBe('idle');
  });

  it('runs with the input that the person changed, which the page then shows', async () => {
    const { page } = createScene(script, { options });
    await page.send('Ship 7.');
    const [approvalId = ''] = page.approvals;
    const second = await page.answer(true, { approvalInputs: { [approvalId]: { order: '8' } } });
    expect(second).toContainEqual(
      expect.objectContaining({ type: 'tool-input-available', input: { order: '8' } }),
    );
    expect(toolChunks(second).at(-1)).toMatchObject({ output: 'shipped 8' });
  });

  it('is refused with a reason that the model reads', async () => {
    const { page, fake } = createScene(script, { options });
    await page.send('Ship 7.');
    const second = await page.answer(false, { reason: 'Too early.' });
    expect(toolChunks(second)).toMatchObject([
      { type: 'tool-approval-response', approved: false, reason: 'Too early.' },
      { type: 'tool-output-denied' },
    ]);
    expect(JSON.stringify(fake.log)).toContain('Too early.');
  });

  it('comes with others in one response, and each can be answered for itself', async () => {
    const both = useTools(
      [
        { name: SHIP, input: { order: '1' } },
        { name: SHIP, input: { order: '2' } },
      ],
      { together: true },
    );
    // Quiet enough that a busy machine does not look like it between the two.
    const { page } = createScene([both, say('Both.')], { options, chat: { settleMs: 500 } });
    const first = await page.send('Ship both.');
    expect(page.approvals).toHaveLength(2);
    expect(first.at(-1)).toMatchObject({ type: 'finish' });
    const [one = '', two = ''] = page.approvals;
    const answered = await page.fetch('/c1/approvals', { approvalId: one, approved: true });
    expect(await answered.json()).toEqual({ answered: true });
    const between = await page.continue();
    expect(toolChunks(between)).toMatchObject([
      { type: 'tool-approval-response', approvalId: one },
      { type: 'tool-output-available', output: 'shipped 1' },
    ]);
    const list = (await (await page.fetch('/c1/approvals')).json()) as {
      approvals: { approvalId: string }[];
    };
    expect(list.approvals).toMatchObject([{ approvalId: two, toolName: SHIP, input: { order: '2' } }]);
    await page.answer(true);
    expect(page.text).toBe('Both.');
  });

  it('is answered by another tab, and told to all listeners', async () => {
    const { page, chat } = createScene(script, { options });
    await page.send('Ship 7.');
    const [approvalId = ''] = page.approvals;
    const other = new Page(chat);
    const following = other.fetch('/c1/stream?follow=true').then(readEvents);
    const response = await page.fetch('/c1/approvals', { approvalId, approved: true, input: { order: '9' } });
    expect(response.status).toBe(200);
    expect(toolChunks(await following)).toMatchObject([
      { type: 'tool-approval-request', approvalId },
      { type: 'tool-approval-response', approvalId, approved: true },
      { type: 'tool-output-available', output: 'shipped 9' },
    ]);
    const again = await page.fetch('/c1/approvals', { approvalId, approved: false });
    expect(again.status).toBe(409);
    // The page that asked finds the rest behind what it has.
    await page.answer(true);
    expect(page.text).toBe('Done.');
  });

  it.each(['the queue', 'a copy of it'])(
    'of a tool that runs is asked and answered the same way, with %s',
    async (kind) => {
      const queue = createApprovals();
      const approvals = kind === 'the queue' ? queue : { ...queue };
      const refund = tool({
        name: 'refund',
        description: 'Pays back',
        inputSchema: { order: 'string' },
        run: async ({ order }, extra) => {
          const answer = await approvals.ask({ title: `Pay ${order} back?`, input: { amount: 40 } }, extra);
          return answer.behavior === 'allow' ? `paid ${JSON.stringify(answer.updatedInput)}` : answer.message;
        },
      });
      const server = createSdkMcpServer({ name: 'bank', tools: [refund] });
      const { page } = createScene([useTool('mcp__bank__refund', { order: '7' }), say('Ok.')], {
        options: { mcpServers: { bank: server }, allowedTools: ['mcp__bank__refund'] },
        chat: { approvals },
      });
      const first = await page.send('Refund 7.');
      expect(first.at(-2)).toMatchObject({
        type: 'tool-approval-request',
        approvalDescriptor: { kind: 'held', title: 'Pay 7 back?', input: { amount: 40 } },
      });
      const [approvalId = ''] = page.approvals;
      const second = await page.answer(true, { approvalInputs: { [approvalId]: { amount: 30 } } });
      expect(toolChunks(second).at(-1)).toMatchObject({ output: 'paid {"amount":30}' });
      approvals.close();
    },
  );

  it('has its changed input checked by the program', async () => {
    const { page } = createScene(script, {
      options,
      chat: { checkInput: ({ order }) => (order === '13' ? 'no such order' : undefined) },
    });
    await page.send('Ship 7.');
    const [approvalId = ''] = page.approvals;
    const refused = await page.fetch('/c1/approvals', { approvalId, approved: true, input: { order: '13' } });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ message: expect.stringContaining('no such order') });
    expect(page.approvals).toEqual([approvalId]);
  });

  it('survives a reload', async () => {
    const { page } = createScene(script, { options });
    await page.send('Ship 7.');
    const replayed = await page.resume();
    expect(typesOf(replayed).slice(-2)).toEqual(['tool-approval-request', 'finish']);
    await page.answer(true);
    expect(page.text).toBe('Done.');
  });
});

describe('a running answer', () => {
  it('is replayed from its start to any number of readers, and to none when it is over', async () => {
    const go = createDeferred<void>();
    const { page, chat } = createScene([
      say(['He', 'llo']),
      () => go.promise,
      useTool('Read', {}, { result: 'x' }),
      say('.'),
    ]);
    expect((await page.fetch('/c1/stream')).status).toBe(204);
    const response = await page.post('Hi.');
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    // A reload closes the connection, which stops nothing.
    await reader.cancel();
    const readers = [new Page(chat), new Page(chat), new Page(chat)].map((each) => each.resume());
    const follower = page.fetch('/c1/stream?follow=true').then(readEvents);
    go.resolve();
    const [one, two, three] = await Promise.all(readers);
    const joined = (chunks: UiChunk[] = []): string =>
      chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('');
    expect([one, two, three, await follower].map(joined)).toEqual(Array.from({ length: 4 }, () => 'Hello.'));
    expect((await page.fetch('/c1/stream')).status).toBe(204);
  });

  it('refuses another message until it is over or stopped', async () => {
    const go = createDeferred<void>();
    const { page, chat } = createScene([
      say('He'),
      () => go.promise,
      say('llo'),
      expectPrompt(),
      say('Next.'),
    ]);
    const first = page.post('Hi.');
    await first;
    expect(chat.state('c1')).toBe('running');
    const refused = await page.post('More.');
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ code: 'TURN_RUNNING' });
    go.resolve();
    await readEvents(await first);
    await page.send('Now?');
    expect(page.text).toBe('Next.');
  });

  it('is stopped by the stop endpoint, and the next message is answered', async () => {
    const { page, chat } = createScene(
      [useTool(SHIP, { order: '7' }), say('never'), expectPrompt(), say('Next.')],
      {
        options,
      },
    );
    expect(await (await page.fetch('/c1/stop', {})).json()).toEqual({ stopped: false });
    await page.send('Ship 7.');
    const follower = page.fetch('/c1/stream?follow=true').then(readEvents);
    expect(await (await page.fetch('/c1/stop', {})).json()).toEqual({ stopped: true });
    expect((await follower).at(-1)).toMatchObject({ type: 'abort' });
    expect(chat.state('c1')).toBe('idle');
    expect(await (await page.fetch('/c1/approvals')).json()).toEqual({ approvals: [] });
  });
});
