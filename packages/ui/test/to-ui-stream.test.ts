// The chunks of an answer: every kind of message, on the fake CLI, streamed and whole.
import { describe, expect, it, vi } from 'vitest';
import { readWholePage } from '../../../test/package/project.js';
import { createSdkMcpServer, deny, image, query, tool, type Options } from '@inboard/inboard/index.js';
import {
  apiError,
  compact,
  createFakeCli,
  endTurn,
  send,
  type FakeScript,
} from '@inboard/inboard/testing.js';
import { say, think, useTool, useTools } from '@inboard/testing/fake-cli/script/build-steps.js';
import { toUiResponse, toUiStream, type ToUiStreamOptions, type UiChunk } from '@inboard/inboard/ui.js';
import { InvalidOptionsError, SessionClosedError } from '@inboard/core/errors.js';
import type { SDKMessage } from '@inboard/core/wire/protocol/messages/messages.js';
import { checkChunks, readChunks, readEvents, typesOf } from './chunks.js';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const shop = createSdkMcpServer({
  name: 'shop',
  tools: [
    tool({
      name: 'price',
      description: 'A price',
      inputSchema: { item: 'string' },
      run: ({ item }) => `${item}: 3`,
    }),
    tool({
      name: 'broken',
      description: 'Fails',
      inputSchema: {},
      run: () => Promise.reject(new Error('no')),
    }),
    tool({
      name: 'photo',
      description: 'A photo',
      inputSchema: {},
      run: () => image(Buffer.from(PNG, 'base64')),
    }),
  ],
});

async function chunksOf(
  script: FakeScript,
  { options, ui }: { options?: Options; ui?: ToUiStreamOptions } = {},
): Promise<UiChunk[]> {
  await using fake = createFakeCli(script, { allowEarlyEnd: true });
  const chunks = await readChunks(
    toUiStream(
      query({
        prompt: 'Go.',
        options: {
          transport: fake.transport,
          includePartialMessages: true,
          mcpServers: { shop },
          allowedTools: ['mcp__shop__price', 'mcp__shop__broken', 'mcp__shop__photo'],
          ...options,
        },
      }),
      { messageId: 'm', ...ui },
    ),
  );
  checkChunks(chunks);
  return chunks;
}

/** The chunks of messages that a CLI might send. */
async function translate(messages: readonly object[], ui?: ToUiStreamOptions): Promise<UiChunk[]> {
  async function* play(): AsyncGenerator<SDKMessage> {
    for (const message of messages) yield message as SDKMessage;
  }
  const chunks = await readChunks(toUiStream(play(), { messageId: 'm', ...ui }));
  checkChunks(chunks);
  return chunks;
}

const result = (fields: object = {}): object => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'ok',
  session_id: 's',
  stop_reason: 'end_turn',
  ...fields,
});
const whole = (id: string, ...content: object[]): object => ({
  type: 'assistant',
  parent_tool_use_id: null,
  message: { id, role: 'assistant', content },
});
const event = (fields: object): object => ({
  type: 'stream_event',
  parent_tool_use_id: null,
  event: fields,
});

describe('an answer as chunks', () => {
  it('has its text in pieces where the CLI streams, and whole where it does not', async () => {
    const streamed = await chunksOf([say(['He', 'l', 'lo'])]);
    expect(typesOf(streamed)).toEqual([
      'start',
      'message-metadata',
      'start-step',
      'text-start',
      'text-delta',
      'text-delta',
      'text-delta',
      'text-end',
      'finish-step',
      'finish',
    ]);
    expect(streamed[0]).toEqual({ type: 'start', messageId: 'm' });
    const atOnce = await chunksOf([say(['He', 'l', 'lo'])], { options: { includePartialMessages: false } });
    expect(atOnce.filter(({ type }) => type === 'text-delta')).toEqual([
      { type: 'text-delta', id: 'text-1', delta: 'Hello' },
    ]);
  });

  it('has no metadata that the page about front ends does not name', async () => {
    const chunks = await chunksOf([say('Hi.')]);
    const { messageMetadata } = chunks.at(-1) as { messageMetadata: object };
    const row = /^\| session, model, tokens.*$/m.exec(readWholePage('docs/front-ends.md'))?.[0] ?? '';
    expect(Object.keys(messageMetadata).filter((name) => !row.includes(`\`${name}\``))).toEqual([]);
  });

  it('says what it used and cost, or what the caller chooses, or nothing', async () => {
    const chunks = await chunksOf([say('Hi.')]);
    expect(chunks.at(-1)).toEqual({
      type: 'finish',
      finishReason: 'stop',
      messageMetadata: {
        sessionId: expect.any(String),
        model: expect.any(String),
        usage: expect.objectContaining({ totalTokens: expect.any(Number) }),
        turnCostUsd: expect.any(Number),
        totalCostUsd: expect.any(Number),
        durationMs: expect.any(Number),
      },
    });
    const chosen = await chunksOf([say('Hi.')], { ui: { metadata: ({ model }) => ({ by: model }) } });
    expect(chosen.at(-1)).toEqual({
      type: 'finish',
      finishReason: 'stop',
      messageMetadata: { by: expect.any(String) },
    });
    const none = await chunksOf([say('Hi.')], { ui: { metadata: false } });
    expect(typesOf(none)).not.toContain('message-metadata');
    expect(none.at(-1)).toEqual({ type: 'finish', finishReason: 'stop' });
  });

  it('has reasoning before the text, unless it is not wanted', async () => {
    const chunks = await chunksOf([think('Hm.'), say('Hi.')]);
    expect(typesOf(chunks).slice(3, 6)).toEqual(['reasoning-start', 'reasoning-delta', 'reasoning-end']);
    const without = await chunksOf([think('Hm.'), say('Hi.')], { ui: { reasoning: false } });
    expect(typesOf(without).filter((type) => type.startsWith('reasoning'))).toEqual([]);
    expect(typesOf(without)).toContain('text-delta');
  });

  it('has the input of a tool while it streams, then its output, each model message a step', async () => {
    const chunks = await chunksOf([useTool('mcp__shop__price', { item: 'tea' }), say('3.')]);
    const call = chunks.filter(({ type }) => type.startsWith('tool-'));
    expect(call).toMatchObject([
      { type: 'tool-input-start', toolName: 'mcp__shop__price', dynamic: true },
      { type: 'tool-input-delta' },
      { type: 'tool-input-available', input: { item: 'tea' }, dynamic: true },
      { type: 'tool-output-available', output: 'tea: 3' },
    ]);
    expect(typesOf(chunks).filter((type) => type.endsWith('-step'))).toEqual([
      'start-step',
      'finish-step',
      'start-step',
      'finish-step',
    ]);
  });

  it('has errors of tools, refusals, and images as files', async () => {
    const chunks = await chunksOf(
      [
        useTools([
          { name: 'mcp__shop__broken' },
          { name: 'mcp__shop__photo' },
          { name: 'Bash', result: 'x' },
        ]),
        say('So.'),
      ],
      { options: { canUseTool: async () => deny('Not here.') } },
    );
    expect(chunks.filter(({ type }) => /output|file/.test(type))).toMatchObject([
      { type: 'tool-output-error', errorText: 'no' },
      { type: 'tool-output-available', output: '[image/png]' },
      { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${PNG}` },
      { type: 'tool-output-error', errorText: expect.stringContaining('Not here.') },
    ]);
  });

  it('is an error with a text that gives nothing away, or the one of the caller', async () => {
    const onWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const script = [apiError(529, { message: 'secret host 10.0.0.1' }), endTurn()];
    const own = await chunksOf(script, { ui: { onError: (error) => (error as Error).message } });
    expect(own.at(-1)).toEqual({ type: 'error', errorText: expect.stringContaining('10.0.0.1') });
    expect(onWarning).not.toHaveBeenCalled();

    const chunks = await chunksOf(script);
    expect(JSON.stringify(chunks)).not.toContain('10.0.0.1');
    expect(chunks.at(-1)).toEqual({ type: 'error', errorText: expect.stringContaining('model') });
    // The operator of the server learns of it nevertheless.
    expect(onWarning).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('10.0.0.1'), {
      code: 'ANSWER_FAILED',
    });
    onWarning.mockRestore();
  });

  it('is no failure to report where the program itself has closed the session', async () => {
    const onWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const closed = (cause?: Error): AsyncIterable<never> => ({
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.reject(new SessionClosedError('The session is closed', { cause })),
      }),
    });
    for await (const _ of toUiStream(closed()));
    expect(onWarning).not.toHaveBeenCalled();
    for await (const _ of toUiStream(closed(new Error('The CLI is gone'))));
    expect(onWarning).toHaveBeenCalledOnce();
    onWarning.mockRestore();
  });

  it('is not touched by a callback that fails', async () => {
    const onWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const fails = (): never => {
      throw new Error('mine');
    };
    const chunks = await chunksOf([apiError(529), endTurn()], { ui: { onError: fails, metadata: fails } });
    expect(chunks.at(-1)).toMatchObject({ type: 'error' });
    expect(onWarning).toHaveBeenCalled();
    onWarning.mockRestore();
  });

  it('says nothing of a compaction but that there is one', async () => {
    const chunks = await chunksOf([say('Hi.'), compact()]);
    expect(chunks.filter(({ type }) => type === 'data-status').length).toBeGreaterThan(0);
    expect(chunks.filter(({ type }) => type === 'text-delta')).toMatchObject([{ delta: 'Hi.' }]);
  });

  it('takes back what broke off, where the CLI says so and where it just begins again', async () => {
    const half = (stop: object[]): object[] => [
      event({ type: 'message_start', message: { id: 'one' } }),
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'half' } }),
      event({
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: 'c', name: 't' },
      }),
      ...stop,
      event({ type: 'message_start', message: { id: 'two' } }),
      whole('two', { type: 'text', text: 'whole' }, { type: 'tool_use', id: 'c', name: 't', input: {} }),
      result(),
    ];
    const said = { ...event({ type: 'message_stop' }), abandoned_blocks: { from_block_index: 0 } };
    for (const stop of [[], [said]]) {
      const chunks = await translate(half(stop));
      expect(typesOf(chunks)).toEqual([
        'start',
        'start-step',
        'text-start',
        'text-delta',
        'tool-input-start',
        'text-end',
        'reset-step',
        'text-start',
        'text-delta',
        'text-end',
        'tool-input-available',
        'tool-output-error',
        'finish-step',
        'finish',
      ]);
    }
  });

  it('shows what subagents do as what their call has given so far, or hides it', async () => {
    const sub = (content: object): object => ({
      ...whole('sub', content),
      parent_tool_use_id: 'task',
    });
    const deeper = { ...whole('deep', { type: 'text', text: 'Deep.' }), parent_tool_use_id: 'inner' };
    const messages = [
      whole('one', { type: 'tool_use', id: 'task', name: 'Task', input: {} }),
      sub({ type: 'text', text: 'Looking.' }),
      sub({ type: 'tool_use', id: 'inner', name: 'Task', input: {} }),
      deeper,
      {
        type: 'user',
        parent_tool_use_id: null,
        message: { content: [{ type: 'tool_result', tool_use_id: 'task', content: 'Found.' }] },
      },
      sub({ type: 'text', text: 'Too late.' }),
      result(),
    ];
    const outputs = (await translate(messages)).filter(({ type }) => type === 'tool-output-available');
    expect(outputs).toMatchObject([
      { toolCallId: 'task', output: 'Looking.', preliminary: true },
      { output: 'Looking.\n[Task]', preliminary: true },
      { output: 'Looking.\n[Task]\nDeep.', preliminary: true },
      { output: 'Found.' },
    ]);
    const hidden = await translate(messages, { subagents: 'hide' });
    expect(hidden.filter(({ type }) => type === 'tool-output-available')).toHaveLength(1);
  });

  it('has sources once, and none that a page must not link to', async () => {
    const chunks = await translate([
      whole(
        'one',
        { type: 'server_tool_use', id: 'w', name: 'web_search', input: { query: 'tea' } },
        {
          type: 'web_search_tool_result',
          tool_use_id: 'w',
          content: [
            { type: 'web_search_result', url: 'https://tea.example', title: 'Tea' },
            { type: 'web_search_result', url: 'javascript:alert(1)' },
          ],
        },
        {
          type: 'text',
          text: 'Tea.',
          citations: [{ url: 'https://tea.example' }, { document_title: 'The book of tea' }],
        },
      ),
      result(),
    ]);
    expect(chunks.filter(({ type }) => type.startsWith('source'))).toEqual([
      { type: 'source-url', sourceId: 'source-1', url: 'https://tea.example', title: 'Tea' },
      { type: 'source-document', sourceId: 'source-2', mediaType: 'text/plain', title: 'The book of tea' },
    ]);
    expect(chunks.find(({ type }) => type === 'tool-output-available')).toMatchObject({
      providerExecuted: true,
    });
  });

  it('has structured output as data, and the words of a command as text', async () => {
    const structured = await translate([result({ structured_output: { a: 1 } })]);
    expect(structured).toContainEqual({ type: 'data-output', data: { a: 1 } });
    const command = await translate([result({ result: 'Total cost: 0' })]);
    expect(command).toContainEqual({ type: 'text-delta', id: 'text-1', delta: 'Total cost: 0' });
  });

  it('ends with abort where it was stopped, and where its messages end without a result', async () => {
    const call = whole('one', { type: 'tool_use', id: 'c', name: 't', input: {} });
    const stopped = await translate([call, result({ terminal_reason: 'aborted_tools' })]);
    expect(stopped.slice(-4)).toMatchObject([
      { type: 'tool-output-error', errorText: 'Stopped.' },
      { type: 'finish-step' },
      { type: 'message-metadata' },
      { type: 'abort' },
    ]);
    expect((await translate([call])).at(-1)).toMatchObject({ type: 'abort' });
  });

  it('leaves a call open that a hook deferred', async () => {
    const chunks = await translate([
      whole('one', { type: 'tool_use', id: 'c', name: 't', input: {} }),
      result({ deferred_tool_use: { id: 'c' } }),
    ]);
    expect(typesOf(chunks)).not.toContain('tool-output-error');
  });

  it('ends a query when the stream is cancelled', async () => {
    await using fake = createFakeCli([say('one'), send({ type: 'x' })], { allowEarlyEnd: true });
    const q = query({ prompt: 'Go.', options: { transport: fake.transport } });
    const reader = toUiStream(q).getReader();
    expect(await reader.read()).toMatchObject({ value: { type: 'start' } });
    await reader.cancel();
    expect(await q.next()).toEqual({ done: true, value: undefined });
  });

  it('is refused for what is no source', () => {
    for (const source of [undefined, null, 'text', [], {}])
      expect(() => toUiStream(source as never)).toThrow(InvalidOptionsError);
  });
});

describe('an answer as a response', () => {
  it('is server-sent events with the header the reader wants, and its headers cannot be taken away', async () => {
    async function* play(): AsyncGenerator<SDKMessage> {
      yield whole('one', { type: 'text', text: 'a\n\ndata: b\u2028' }) as SDKMessage;
      yield result() as SDKMessage;
    }
    const response = toUiResponse(play(), {
      messageId: 'm',
      headers: { 'x-mine': 'yes', 'content-type': 'text/html' },
    });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-vercel-ai-ui-message-stream': 'v1',
      'cache-control': 'no-cache, no-transform',
      'x-mine': 'yes',
    });
    const chunks = await readEvents(response);
    checkChunks(chunks);
    expect(chunks).toContainEqual({ type: 'text-delta', id: 'text-1', delta: 'a\n\ndata: b\u2028' });
  });
});
