// A server on loopback with a chat on a fake CLI, and the client of the page in front of it.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { UIMessage } from 'ai';
import type { QueryOptions } from 'inboard';
import { openChat } from '../page/client.ts';
import { CHAT_PATH, createChat } from '../src/chat.ts';
import { createWebServer } from '../src/server.ts';
import { createOrders } from '../src/tools.ts';

/** Closed when the test is over. `cli` says on which CLI the agents run. */
export async function startServer(test: TestContext, cli: () => QueryOptions, env?: QueryOptions['env']) {
  const orders = createOrders();
  const chat = createChat({ orders, cli, env });
  const server = createWebServer(chat).listen(0, '127.0.0.1');
  test.after(async () => {
    await chat.close();
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, api: `${url}${CHAT_PATH}`, orders };
}

/** A page of its own, without a browser. */
export function openPage(api: string) {
  let finish = (): void => {};
  const page = openChat({ api, id: randomUUID(), onFinish: () => finish() });
  return {
    ...page,
    /** Sends a message and reads to the end of the answer, or to the question in it. */
    ask: (text: string) => page.chat.sendMessage({ text }),
    /** Decides, and reads the rest of the answer. */
    async answer(approvalId: string, approved: boolean, input?: unknown): Promise<void> {
      const finished = new Promise<void>((resolve) => (finish = resolve));
      await page.decide(approvalId, approved, input);
      await finished;
    },
    text: () => textOf(page.chat.lastMessage),
    calls: () => (page.chat.lastMessage?.parts ?? []).filter((part) => part.type === 'dynamic-tool'),
    /** The id of the open question. */
    question(): string {
      const open = this.calls().find(({ state }) => state === 'approval-requested');
      if (open?.state !== 'approval-requested') throw new Error('Nothing is asked.');
      return open.approval.id;
    },
  };
}

function textOf(message: UIMessage | undefined): string {
  return (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
}
