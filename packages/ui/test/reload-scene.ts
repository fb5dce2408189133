// The next server of a chat whose server is gone, with what is left of it in a store or on disk.
import { onTestFinished } from 'vitest';
import { createSdkMcpServer, tool, type CallFact, type SessionStore } from '@inboard/inboard/index.js';
import { createFakeCli } from '@inboard/inboard/testing.js';
import { say } from '@inboard/testing/fake-cli/script/build-steps.js';
import { createUiChat, type UiChat, type UiChatOptions, type UiMessage } from '@inboard/inboard/ui.js';
import {
  ASKED,
  CALL,
  COVERED,
  createCutStore,
  SESSION,
} from '../../core/test/flows/completed/cut-session.js';
import { readUnfinishedTurn } from '@inboard/core/verbs/conversation/completion/read-unfinished-turn.js';
import { Page } from './chat-scene.js';

export const ANSWER = 'answer-00000000-0000-4000-8000-0000000000d6';

export interface Scene {
  chat: UiChat;
  page: Page;
  opened: string[];
  paid: string[];
  /** The id of the question about the open call. */
  question: string;
}

/** The next server, on a store with what is known of the session. */
export async function openScene(
  facts: readonly CallFact[] = [COVERED, ASKED],
  more: Partial<UiChatOptions> = {},
): Promise<Scene & { store: SessionStore; results: () => Promise<unknown[]> }> {
  const { store, results } = await createCutStore(facts);
  const scene = await serve({ sessionStore: store }, more);
  return { ...scene, store, results };
}

export async function serve(
  place: { sessionStore?: SessionStore; cwd?: string; env?: Record<string, string | undefined> },
  more: Partial<UiChatOptions>,
): Promise<Scene> {
  const fake = createFakeCli([say('Paid.')], { allowEarlyEnd: true });
  const opened: string[] = [];
  const paid: string[] = [];
  const pay = tool({
    name: 'pay',
    description: 'Pays an order',
    inputSchema: { order: 'string' },
    run: ({ order }, context) => {
      paid.push(order);
      return context.callKey === undefined ? 'no key' : `paid ${order}`;
    },
  });
  const chat = createUiChat({
    place: (id) => ({ sessionId: id, ...place }),
    session: ({ id, open }) => {
      opened.push(id);
      return open({
        options: {
          transport: fake.transport,
          closeGraceMs: 0,
          mcpServers: { shop: createSdkMcpServer({ name: 'shop', tools: [pay] }) },
        },
      });
    },
    settleMs: 10,
    ...more,
  });
  onTestFinished(async () => {
    await chat.close();
    await fake.close({ verify: false });
  });
  const turn = await readUnfinishedTurn({ sessionId: SESSION, options: place });
  return { chat, page: new Page(chat, SESSION), opened, paid, question: turn?.calls[0]?.callKey ?? '' };
}

export const listApprovals = async (page: Page): Promise<{ approvalId: string; toolCallId: string }[]> =>
  ((await (await page.fetch(`/${page.id}/approvals`)).json()) as { approvals: never[] }).approvals;
export const listMessages = async (page: Page, query = ''): Promise<UiMessage[]> =>
  ((await (await page.fetch(`/${page.id}/messages${query}`)).json()) as { messages: UiMessage[] }).messages;
export const answer = (page: Page, approvalId: string, more: object = {}): Promise<Response> =>
  page.fetch(`/${page.id}/approvals`, { approvalId, approved: true, ...more });

export const ALLOWED: CallFact = {
  type: 'answered',
  callKey: `key ${CALL}`,
  answer: { behavior: 'allow' },
  by: 'Ines',
  at: 5,
};
export const ENDED: CallFact = {
  type: 'ended',
  callKey: `key ${CALL}`,
  result: { content: [{ type: 'text', text: 'paid 7' }] },
  at: 6,
};
