// A chat for front ends on the real CLI.
import { expect } from 'vitest';
import { createUiChat, toUiMessages, type UiChat, type UiChunk } from '../../../packages/inboard/src/ui.js';
import { Page } from '../../../packages/ui/test/chat-scene.js';
import { readEvents, typesOf } from '../../../packages/ui/test/chunks.js';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import {
  createSdkMcpServer,
  gate,
  getSessionMessages,
  held,
  InMemorySessionStore,
  openSession,
  reply,
  text,
  tool,
  toolUse,
} from '../support/inboard.js';
import { onStage, type Stage } from '../support/stage.js';

const SHIP = 'mcp__shop__ship';
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

function openChat(stage: Stage, resume?: string): { chat: UiChat; shipped: string[]; sessionIds: string[] } {
  const shipped: string[] = [];
  const sessionIds: string[] = [];
  const ship = tool({
    name: 'ship',
    description: 'Ships an order',
    inputSchema: { order: 'string' },
    run: ({ order }) => {
      shipped.push(order);
      return `shipped ${order}`;
    },
  });
  const shop = createSdkMcpServer({ name: 'shop', tools: [ship] });
  const chat = createUiChat({
    session: ({ canUseTool }) => {
      const options = stage.options({ includePartialMessages: true, canUseTool, mcpServers: { shop } });
      const session = resume
        ? openSession({ options: { ...options, resume }, interrupted: 'continue' })
        : openSession({ options });
      if (session.sessionId !== undefined) sessionIds.push(session.sessionId);
      return session;
    },
  });
  return { chat, shipped, sessionIds };
}

const outputs = (chunks: readonly UiChunk[]): UiChunk[] =>
  chunks.filter(({ type }) => type.startsWith('tool-output'));

async function talk(cli: Cli): Promise<void> {
  const never = gate();
  // Older CLIs cannot have one.
  const sessionStore = cli.isNew ? new InMemorySessionStore() : undefined;
  const script = [
    reply(text(['I ', 'ship.']), toolUse(SHIP, { order: '7' })),
    text('Shipped.'),
    reply(toolUse(SHIP, { order: '1' }), toolUse(SHIP, { order: '2' })),
    text('Both.'),
    held(text(['never ', 'heard']), never),
    text('Here again.'),
  ];
  await onStage(cli, { script, options: { sessionStore } }, async (stage) => {
    const { chat, shipped, sessionIds } = openChat(stage);
    try {
      const page = new Page(chat);
      const parts = [
        { type: 'text', text: 'Ship what is on @/etc/hostname' },
        { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${PIXEL}` },
      ];
      const sent = await page.fetch('', { id: 'c1', messages: [{ id: 'u0', role: 'user', parts }] });
      const first = page.take(await readEvents(sent), true);
      expect(first.filter(({ type }) => type === 'text-delta').length).toBeGreaterThan(0);
      expect(typesOf(first)).toContain('tool-input-delta');
      expect(typesOf(first).slice(-2)).toEqual(['tool-approval-request', 'finish']);
      expect(JSON.stringify(stage.lastRequest().body)).toContain(PIXEL);

      const firstAnswer = page.messageId;
      const [approvalId = ''] = page.approvals;
      const second = await page.answer(true, { approvalInputs: { [approvalId]: { order: '8' } } });
      expect(outputs(second)).toMatchObject([{ output: 'shipped 8' }]);
      expect(second.at(-1)).toMatchObject({
        type: 'finish',
        messageMetadata: { sessionId: sessionIds[0], usage: { outputTokens: expect.any(Number) } },
      });

      await page.send('Both.');
      while (page.approvals.length > 0) await page.answer(true);
      expect(shipped.toSorted()).toEqual(['1', '2', '8']);
      expect(page.text).toBe('Both.');

      const unheard = await page.post('And then?');
      await never.reached;
      const stopped = await page.fetch('/c1/stop', {});
      expect(await stopped.json()).toEqual({ stopped: true });
      expect((await readEvents(unheard)).at(-1)).toMatchObject({ type: 'abort' });
      never.open();
      await page.send('Still there?');
      expect(page.text).toBe('Here again.');

      if (sessionStore) {
        const past = await getSessionMessages(sessionIds[0] ?? '', { sessionStore, dir: stage.home.cwd });
        const shown = toUiMessages(past);
        expect(shown.map(({ role }) => role).slice(0, 4)).toEqual(['user', 'assistant', 'user', 'assistant']);
        expect(shown[1]?.id).toBe(firstAnswer);
        expect(shown.at(-1)).toMatchObject({ id: page.messageId, parts: [{}, { text: 'Here again.' }] });
      }
    } finally {
      await chat.close();
    }
  });
}

/** Gives the rest of the answer, with the decision of a page that an earlier host had asked. */
type AnswerAfterRestart = (page: Page) => Promise<UiChunk[]>;

const answerByNextPost: AnswerAfterRestart = (page) => page.answer(true);

const answerByRoute: AnswerAfterRestart = async (page) => {
  const [approvalId = ''] = page.approvals;
  const response = await page.fetch(`/${page.id}/approvals`, { approvalId, approved: true });
  // Whether the CLI has asked again by then is a race.
  expect(response.ok).toBe(true);
  page.parts = [];
  return page.take(await readEvents(await page.fetch(`/${page.id}/stream?follow=true`)), true);
};

const outliveTheHost = (answer: AnswerAfterRestart) => async (cli: Cli) => {
  const script = [toolUse(SHIP, { order: '7' }), text('Shipped.')];
  await onStage(cli, { script }, async (stage) => {
    const before = openChat(stage);
    const page = new Page(before.chat);
    await page.send('Ship 7.');
    expect(page.approvals).toHaveLength(1);
    const { messageId } = page;
    // As a crash would: nothing is stopped, and nothing answered.
    await before.chat.close({ abandon: true });

    const after = openChat(stage, before.sessionIds[0]);
    try {
      const reloaded = new Page(after.chat);
      Object.assign(reloaded, { messageId, parts: page.parts });
      const rest = await answer(reloaded);
      expect(rest[0]).toEqual({ type: 'start', messageId });
      expect(outputs(rest)).toMatchObject([{ output: 'shipped 7' }]);
      expect(reloaded.text).toBe('Shipped.');
      expect([...before.shipped, ...after.shipped]).toEqual(['7']);
    } finally {
      await after.chat.close();
    }
  });
};

export const uiCases: CaseSet = {
  'a chat streams, asks in two posts, takes changed input, and is stopped': talk,
  'a question outlives its host, and is answered by the next post': outliveTheHost(answerByNextPost),
  'a question outlives its host, and is answered through the approvals route': outliveTheHost(answerByRoute),
};
