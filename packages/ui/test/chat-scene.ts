// A chat on the fake CLI, and a page that speaks with it as the transport of `useChat` does.
import { onTestFinished } from 'vitest';
import { openSession, type OpenSessionInput, type Options } from '@inboard/inboard/index.js';
import { createFakeCli, type FakeCli, type FakeScript } from '@inboard/inboard/testing.js';
import { createUiChat, type UiChat, type UiChatOptions, type UiChunk } from '@inboard/inboard/ui.js';
import { checkChunks, findFaults, readEvents } from './chunks.js';

const ADDRESS = 'http://chat.test/api/chat';

/** A part of a message, as the page keeps it. */
export interface Part {
  type: string;
  toolCallId?: string;
  state?: string;
  text?: string;
  input?: unknown;
  output?: unknown;
  approval?: { id: string; approved?: boolean; reason?: string };
}

export interface SceneOptions {
  options?: Options;
  session?: Partial<OpenSessionInput>;
  chat?: Partial<UiChatOptions>;
}

export interface Scene {
  chat: UiChat;
  fake: FakeCli;
  page: Page;
  opened: string[];
}

export function createScene(script: FakeScript, { options, session, chat: more }: SceneOptions = {}): Scene {
  const fake = createFakeCli(script, { allowEarlyEnd: true });
  const opened: string[] = [];
  const chat = createUiChat({
    session: ({ id, canUseTool }) => {
      opened.push(id);
      return openSession({
        options: {
          transport: fake.transport,
          includePartialMessages: true,
          canUseTool,
          closeGraceMs: 0,
          ...options,
        },
        ...session,
      });
    },
    settleMs: 30,
    ...more,
  });
  onTestFinished(async () => {
    await chat.close();
    await fake.close({ verify: false });
  });
  return { chat, fake, page: new Page(chat), opened };
}

/** A page: sends what `useChat` sends, and keeps the message it gets. */
export class Page {
  readonly #chat: UiChat;
  readonly id: string;
  messageId = '';
  parts: Part[] = [];
  #sent = 0;

  constructor(chat: UiChat, id = 'c1') {
    this.#chat = chat;
    this.id = id;
  }

  fetch(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.#chat.fetch(
      new Request(`${ADDRESS}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { host: 'chat.test', 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
  }

  post(text: string, id = `u${(this.#sent += 1)}`): Promise<Response> {
    const message = { id, role: 'user', parts: [{ type: 'text', text }] };
    return this.fetch('', { id: this.id, trigger: 'submit-message', messages: [message] });
  }

  async send(text: string): Promise<UiChunk[]> {
    this.parts = [];
    return this.take(await readEvents(await this.post(text)), true);
  }

  /** Answers what the page shows as asked, and posts the message. */
  async answer(
    approved: boolean,
    more: { reason?: string; approvalInputs?: object } = {},
  ): Promise<UiChunk[]> {
    for (const part of this.parts) {
      if (part.state !== 'approval-requested' || !part.approval) continue;
      part.state = 'approval-responded';
      part.approval = { ...part.approval, approved, ...(more.reason && { reason: more.reason }) };
    }
    return await this.continue({ approvalInputs: more.approvalInputs });
  }

  async continue(more: object = {}): Promise<UiChunk[]> {
    const message = { id: this.messageId, role: 'assistant', parts: this.parts };
    const response = await this.fetch('', {
      id: this.id,
      messageId: this.messageId,
      messages: [message],
      ...more,
    });
    return this.take(await readEvents(response), false);
  }

  async resume(): Promise<UiChunk[]> {
    this.parts = [];
    return this.take(await readEvents(await this.fetch(`/${this.id}/stream`)), true);
  }

  get approvals(): string[] {
    return this.parts.flatMap(({ state, approval }) =>
      state === 'approval-requested' && approval ? [approval.id] : [],
    );
  }

  get text(): string {
    return this.parts.map(({ text = '' }) => text).join('');
  }

  /** Keeps what a reader would: enough to answer with. */
  take(chunks: UiChunk[], isFresh: boolean): UiChunk[] {
    if (isFresh) checkChunks(chunks);
    const known = this.parts.flatMap(({ toolCallId }) => toolCallId ?? []);
    const faults = findFaults(chunks, { known });
    if (faults.length > 0) throw new Error(faults.join('\n'));
    for (const chunk of chunks) this.#apply(chunk);
    return chunks;
  }

  #apply(chunk: UiChunk): void {
    const partOf = (id: string): Part => {
      let part = this.parts.find(({ toolCallId }) => toolCallId === id);
      if (!part) this.parts.push((part = { type: 'dynamic-tool', toolCallId: id }));
      return part;
    };
    if (chunk.type === 'start') this.messageId = chunk.messageId ?? '';
    if (chunk.type === 'text-delta') this.parts.push({ type: 'text', text: chunk.delta });
    if (chunk.type === 'tool-input-available')
      Object.assign(partOf(chunk.toolCallId), { state: 'input-available', input: chunk.input });
    if (chunk.type === 'tool-approval-request')
      Object.assign(partOf(chunk.toolCallId), {
        state: 'approval-requested',
        approval: { id: chunk.approvalId },
      });
    if (chunk.type === 'tool-output-available')
      Object.assign(partOf(chunk.toolCallId), { state: 'output-available', output: chunk.output });
    if (chunk.type === 'tool-output-error' || chunk.type === 'tool-output-denied')
      Object.assign(partOf(chunk.toolCallId), { state: chunk.type });
  }
}
