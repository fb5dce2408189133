import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { z } from 'zod';
import { InvalidOptionsError, SchemaError, SessionClosedError } from '../../../src/errors.js';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { mcpPrompt } from '../../../src/answer/mcp/prompts/mcp-prompt.js';
import type { CreateSdkMcpServerOptions } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { image } from '../../../src/answer/mcp/result/content-helpers.js';
import { openSession, settle, type Harness } from './session-harness.js';
import { PATIENCE_MS } from '../../../../../test/support/wait-until.js';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

function serve(prompts: NonNullable<CreateSdkMcpServerOptions['prompts']>): Harness {
  return openSession({ s: createSdkMcpServer({ name: 's', context: { who: 'server' }, prompts }) });
}

async function get({ ask }: Harness, name: string, args?: object): Promise<unknown> {
  const { result, error } = await ask('prompts/get', { name, ...(args && { arguments: args }) });
  return result ?? error;
}

const userText = (text: string) => ({ role: 'user', content: { type: 'text', text } });

describe('the prompts of a server', () => {
  const greet = mcpPrompt(
    'greet',
    'Greets somebody',
    {
      who: z.string().describe('Whom'),
      times: z.number().int().optional(),
      loud: z.boolean().default(false),
    },
    ({ who, times, loud }, { context }) => `${who} ${times} ${loud} ${JSON.stringify(context)}`,
    { title: 'Greeting' },
  );

  it('are declared and listed with their arguments', async () => {
    const { ask } = serve([greet, mcpPrompt('plain', 'Says something', () => 'x')]);
    expect((await ask('initialize')).result?.['capabilities']).toEqual({
      prompts: { listChanged: true },
      completions: {},
    });
    expect((await ask('prompts/list')).result).toEqual({
      prompts: [
        {
          name: 'greet',
          title: 'Greeting',
          description: 'Greets somebody',
          arguments: [
            { name: 'who', description: 'Whom', required: true },
            { name: 'times', required: false },
            { name: 'loud', required: false },
          ],
        },
        { name: 'plain', description: 'Says something' },
      ],
    });
  });

  it('get their arguments read from text, checked, with defaults', async () => {
    const harness = serve([greet]);
    expect(await get(harness, 'greet', { who: '5', times: '3', loud: 'true' })).toEqual({
      description: 'Greets somebody',
      messages: [userText('5 3 true {"who":"server"}')],
    });
    expect(await get(harness, 'greet', { who: 'Ann' })).toMatchObject({
      messages: [userText('Ann undefined false {"who":"server"}')],
    });
    for (const args of [undefined, {}, { who: 'x', times: 'many' }, { who: 'x', times: '' }]) {
      expect(await get(harness, 'greet', args)).toMatchObject({
        code: -32602,
        message: expect.stringMatching(/prompt "greet".*\n- (who|times): /),
      });
    }
  });

  it('are refused by name where there is none, and where it is hidden', async () => {
    const harness = serve([greet]);
    expect(await get(harness, 'gret')).toMatchObject({
      code: -32602,
      message: 'The server "s" has no prompt named "gret"; did you mean "greet"?',
    });
    expect((await harness.ask('prompts/get', {})).error?.code).toBe(-32602);
    expect((await harness.ask('prompts/invent', {})).error?.code).toBe(-32601);
  });

  it.each([
    ['a text', 'one', [userText('one')]],
    ['texts and blocks', ['one', { type: 'text', text: 'two' }], [userText('one'), userText('two')]],
    [
      'a picture',
      image(PIXEL),
      [{ role: 'user', content: { type: 'image', mimeType: 'image/png', data: PIXEL } }],
    ],
    [
      'messages',
      [
        { role: 'assistant', content: 'one' },
        { role: 'user', content: ['two', 'three'] },
      ],
      [{ role: 'assistant', content: { type: 'text', text: 'one' } }, userText('two'), userText('three')],
    ],
    ['a whole result', { messages: [userText('one')] }, [userText('one')]],
  ])('may give %s', async (_, value, messages) => {
    const harness = serve([mcpPrompt({ name: 'p', run: () => Promise.resolve(value) })]);
    expect(await get(harness, 'p')).toEqual({ messages });
  });

  it.each([
    ['nothing', undefined, 'returned nothing'],
    ['a number', 5, 'type number'],
    ['another role', { role: 'system', content: 'x' }, '"system"'],
    ['a block of no kind', { type: 'video' }, '"video"'],
    ['a broken picture', { type: 'image', data: '!', mimeType: 'image/png' }, 'not base64'],
  ])('that give %s fail with a reason', async (_, value, reason) => {
    const harness = serve([mcpPrompt('p', '', () => value)]);
    expect(await get(harness, 'p')).toMatchObject({ code: -32603, message: expect.stringContaining(reason) });
  });

  it('fail with what was thrown, and are cancelled with their session', async () => {
    let signal: AbortSignal | undefined;
    const harness = serve([
      mcpPrompt('fails', '', () => {
        throw new Error('no ink');
      }),
      mcpPrompt('holds', '', (_args, extra) => {
        ({ signal } = extra);
        return new Promise(() => {});
      }),
    ]);
    expect(await get(harness, 'fails')).toMatchObject({
      code: -32603,
      message: expect.stringContaining('no ink'),
    });
    const reply = get(harness, 'holds');
    await vi.waitFor(() => expect(signal).toBeDefined(), PATIENCE_MS);
    harness.session.close(new SessionClosedError('over'));
    expect(await reply).toMatchObject({ code: -32603, message: expect.stringContaining('over') });
    expect(signal?.aborted).toBe(true);
  });

  it('can be added, hidden and removed, which is told once per turn', async () => {
    const server = createSdkMcpServer({ name: 's', prompts: [greet] });
    const harness = openSession({ s: server });
    void harness.session.manifests('2.1.325');
    const late = server.instance.registerPrompt(
      'late',
      { argsSchema: { n: 'number' } },
      ({ n }) => `${n + 1}`,
    );
    const bare = server.instance.registerPrompt('bare', {}, ({ server: name }) => name);
    expect(await get(harness, 'late', { n: '1' })).toMatchObject({ messages: [userText('2')] });
    expect(await get(harness, 'bare')).toMatchObject({ messages: [userText('s')] });
    late.disable();
    expect(await get(harness, 'late', { n: '1' })).toMatchObject({ code: -32602 });
    late.enable();
    late.remove();
    bare.remove();
    expect(await get(harness, 'late', { n: '1' })).toMatchObject({ code: -32602 });
    server.instance.sendPromptListChanged();
    await settle();
    expect(new Set(harness.sent.map(({ message }) => message.method))).toEqual(
      new Set(['notifications/prompts/list_changed']),
    );
    expect(() => server.instance.registerPrompt('greet', {}, () => '')).toThrow(InvalidOptionsError);
  });

  it('can be filled in by the program itself', async () => {
    const { instance } = createSdkMcpServer({
      name: 's',
      prompts: [
        mcpPrompt('review', 'Reviews', { file: 'string' }, ({ file }) => [
          `Review ${file}.`,
          { type: 'resource', resource: { uri: 'file:///a', text: 'its text' } },
          image(PIXEL),
        ]),
      ],
    });
    const filled = await instance.getPrompt('review', { file: 'a.ts' });
    expect(filled.text).toBe('Review a.ts.\n\nits text');
    expect(filled.messages).toHaveLength(3);
    await expect(instance.getPrompt('review')).rejects.toThrow(/prompt "review".*not valid/);
    await expect(instance.getPrompt('revue', {})).rejects.toThrow(InvalidOptionsError);
    await expect(
      instance.getPrompt('review', { file: 'x' }, { signal: AbortSignal.abort() }),
    ).rejects.toThrow();
  });
});

describe('completion', () => {
  const complete = async (harness: Harness, ref: object, name: string, value: string, more: object = {}) => {
    const { result, error } = await harness.ask('completion/complete', {
      ref,
      argument: { name, value },
      ...more,
    });
    return result?.['completion'] ?? error;
  };

  const harness = serve([
    mcpPrompt(
      'travel',
      'Plans',
      {
        city: z.string(),
        season: z.enum(['spring', 'summer', 'winter']),
        many: z.string(),
        none: z.string().optional(),
      },
      () => '',
      {
        complete: {
          city: (value, { arguments: chosen }) => [`${value}-${chosen['season'] ?? 'any'}`],
          many: Array.from({ length: 120 }, (_, index) => `n${index}`),
        },
      },
    ),
  ]);
  const travel = { type: 'ref/prompt', name: 'travel' };

  it('asks a function, filters a list, and knows the values of an enumeration', async () => {
    expect(await complete(harness, travel, 'city', 'Ro')).toEqual({
      values: ['Ro-any'],
      total: 1,
      hasMore: false,
    });
    expect(
      await complete(harness, travel, 'city', 'Ro', { context: { arguments: { season: 'winter' } } }),
    ).toMatchObject({ values: ['Ro-winter'] });
    expect(await complete(harness, travel, 'season', 'S')).toMatchObject({ values: ['spring', 'summer'] });
    expect(await complete(harness, travel, 'none', 'x')).toMatchObject({ values: [] });
  });

  it('gives a hundred values at most, and says that there are more', async () => {
    expect(await complete(harness, travel, 'many', 'n')).toMatchObject({ total: 120, hasMore: true });
    const { values } = (await complete(harness, travel, 'many', 'n')) as { values: string[] };
    expect(values).toHaveLength(100);
  });

  it.each([
    ['no argument', { ref: travel }],
    ['no ref', { argument: { name: 'city', value: '' } }],
    ['an unknown prompt', { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: '' } }],
    [
      'an unknown template',
      { ref: { type: 'ref/resource', uri: 'x://y' }, argument: { name: 'a', value: '' } },
    ],
    ['a ref of no type', { ref: { type: 'ref/tool' }, argument: { name: 'a', value: '' } }],
  ])('refuses %s with -32602', async (_, params) => {
    expect((await harness.ask('completion/complete', params)).error?.code).toBe(-32602);
  });
});

describe('mcpPrompt', () => {
  it('refuses at once what is wrong', () => {
    expect(() => mcpPrompt('', '', () => '')).toThrow(/needs a name/);
    expect(() => mcpPrompt({ name: 'p' } as never)).toThrow(/"p" needs a function/);
    expect(() => mcpPrompt('p', '', 5 as never, () => '')).toThrow(SchemaError);
    expect(() => mcpPrompt('p', '', 5 as never, () => '')).toThrow(
      /argument schema of the prompt "p" is number/,
    );
    const misspelt = { complete: { wo: ['x'] } } as never;
    expect(() => mcpPrompt('p', '', { who: 'string' }, () => '', misspelt)).toThrow(
      /completes "wo".*\(who\)/,
    );
    const twice = [mcpPrompt('p', '', () => ''), mcpPrompt('p', '', () => '')];
    expect(() => serve(twice)).toThrow(/already has a prompt named "p"/);
  });

  it('infers the arguments', () => {
    mcpPrompt('p', '', { a: 'string', n: 'number?' }, (args) => {
      expectTypeOf(args.a).toEqualTypeOf<string>();
      expectTypeOf(args.n).toEqualTypeOf<number | undefined>();
    });
    mcpPrompt({
      name: 'p',
      arguments: { z: z.boolean() },
      run: ({ z: given }) => expectTypeOf(given).toBeBoolean(),
    });
    // @ts-expect-error -- only arguments that there are can be completed
    expect(() => mcpPrompt('p', '', { a: 'string' }, () => '', { complete: { b: ['x'] } })).toThrow();
  });
});
