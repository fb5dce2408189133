// A server on loopback with a chat on a fake CLI, and the client of the page in front of it.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { UIMessage } from 'ai';
import type { QueryOptions } from 'inboard';
import { openChat } from '../page/client.ts';
import { CHAT_PATH, createChat, type ChatSettings } from '../src/chat.ts';
import { createWebServer } from '../src/server.ts';
import { createOrders } from '../src/tools.ts';

// The settings of the server that this terminal starts must not decide whether the tests pass.
for (const name of ['LOGIN_HEADER', 'ALLOWED_HOSTS']) delete process.env[name];

/** Closed when the test is over. `cli` says on which CLI the agents run. */
export async function startServer(
  test: TestContext,
  cli: () => QueryOptions,
  { env, orders = createOrders() }: Partial<ChatSettings> = {},
) {
  const chat = createChat({ orders, cli, env });
  const server = createWebServer(chat).listen(0, '127.0.0.1');
  const end = async (how: { abandon?: boolean } = {}): Promise<void> => {
    await chat.close(how);
    server.close();
    server.closeAllConnections();
  };
  test.after(() => end());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, api: `${url}${CHAT_PATH}`, orders, crash: () => end({ abandon: true }) };
}

/** A page without a browser. With an id, it is the page of a chat that exists. */
export function openPage(
  api: string,
  { id = randomUUID(), messages = [] }: { id?: string; messages?: UIMessage[] } = {},
) {
  let finish = (): void => {};
  let refuse = (_why: string): void => {};
  const page = openChat({
    api,
    id,
    messages,
    onFinish: ({ isError }) => void (isError || finish()),
    onError: (error) => refuse(error.message),
  });
  return {
    ...page,
    /** Sends a message and reads to the end of the answer, or to the question in it. */
    ask: page.send,
    /** Decides, and reads the rest of the answer. */
    async answer(...decision: Parameters<typeof page.decide>): Promise<void> {
      const finished = this.followed();
      await page.decide(...decision);
      await finished;
    },
    /** Resolves when an answer ends that the page has not asked for with a message. */
    followed: () => new Promise<void>((resolve) => (finish = resolve)),
    /** Resolves with what the server says when it refuses something. */
    refused: () => new Promise<string>((resolve) => (refuse = resolve)),
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
