import { afterEach, describe, expect, it } from 'vitest';
import { ScriptMismatchError } from '@inboard/core/errors.js';
import { apiError, reply, startScriptedModel, text, thinking, toolUse } from '@inboard/inboard/testing.js';
import type { ScriptedModel, ScriptedModelOptions } from '@inboard/inboard/testing.js';
import { askText, createBody, postMessage, readEvents } from './ask-model.js';

let running: ScriptedModel | undefined;
const start = async (options?: ScriptedModelOptions): Promise<ScriptedModel> => {
  running = await startScriptedModel(options);
  return running;
};
afterEach(async () => {
  await running?.close({ verify: false });
  running = undefined;
});

const inSession = (session: string): Record<string, string> => ({ 'x-claude-code-session-id': session });

describe('answers', () => {
  it('sends a message whole, with the usage scripted', async () => {
    const usage = {
      input_tokens: 1,
      output_tokens: 2,
      cache_creation_input_tokens: 3,
      cache_read_input_tokens: 4,
    };
    const model = await start({ script: [reply(thinking('Hm.', 'sig'), text('Yes.'), { usage })] });
    const response = await postMessage(model, createBody('hi'));
    expect(response.status).toBe(200);
    expect(response.headers.get('request-id')).toBe('req_scripted_0001');
    expect(await response.json()).toMatchObject({
      id: 'msg_scripted_0001',
      role: 'assistant',
      model: 'claude-test',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
        { type: 'text', text: 'Yes.' },
      ],
      stop_reason: 'end_turn',
      usage,
    });
    model.verify();
  });

  it('streams the same message in the order of the API, with a ping', async () => {
    const model = await start({ script: [reply(thinking('Hm.'), toolUse('Bash', { command: 'ls' }))] });
    const response = await postMessage(model, createBody('hi', { stream: true }));
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const { events, isBroken } = await readEvents(response);
    expect(isBroken).toBe(false);
    expect(events.map((event) => event.name)).toEqual([
      'message_start',
      'ping',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(events.every((event) => event.data['type'] === event.name)).toBe(true);
    expect(events[6]?.data['content_block']).toEqual({
      type: 'tool_use',
      id: 'toolu_scripted_0001',
      name: 'Bash',
      input: {},
    });
    expect(events[9]?.data).toMatchObject({
      delta: { stop_reason: 'tool_use' },
      usage: { output_tokens: 5 },
    });
  });

  it('sends as many pings as wanted', async () => {
    const model = await start({ script: [reply(text('a'), { pings: 0 }), reply(text('b'), { pings: 3 })] });
    for (const pings of [0, 3]) {
      const { events } = await readEvents(await postMessage(model, createBody('hi', { stream: true })));
      expect(events.filter((event) => event.name === 'ping')).toHaveLength(pings);
    }
  });

  it('sends errors in the shape of the API, also when a stream was asked for', async () => {
    const model = await start({
      script: [
        apiError(529, { retryAfter: 7 }),
        apiError(429, { type: 'custom_error', message: 'Slow down' }),
      ],
    });
    const overloaded = await postMessage(model, createBody('hi', { stream: true }));
    expect(overloaded.status).toBe(529);
    expect(overloaded.headers.get('retry-after')).toBe('7');
    expect(await overloaded.json()).toEqual({
      type: 'error',
      error: { type: 'overloaded_error', message: 'Scripted error 529' },
    });
    const limited = await postMessage(model, createBody('hi'));
    expect(limited.headers.has('retry-after')).toBe(false);
    expect(await limited.json()).toEqual({
      type: 'error',
      error: { type: 'custom_error', message: 'Slow down' },
    });
  });

  it('sends anything else as it is', async () => {
    const headers = { 'content-type': 'text/html' };
    const model = await start({ script: [{ status: 502, headers, body: '<h1>Bad Gateway</h1>' }] });
    const response = await postMessage(model, createBody('hi'));
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      502,
      'text/html',
      '<h1>Bad Gateway</h1>',
    ]);
  });

  it('lets a function see the request it answers', async () => {
    const model = await start({
      script: [
        (request) => text(`${request.messages.length} from ${request.userText}`),
        async (request) => Promise.resolve(text(`at ${request.index}`)),
      ],
    });
    expect(await askText(model, 'Ada')).toBe('1 from Ada');
    expect(await askText(model, 'Ada')).toBe('at 1');
    model.verify();
  });

  it('counts tokens as scripted, by default from the size of the request, and takes no step for it', async () => {
    const path = '/v1/messages/count_tokens?beta=true';
    const count = async (model: ScriptedModel): Promise<unknown> =>
      (await postMessage(model, createBody('hi'), { path })).json();
    const size = Math.ceil(JSON.stringify(createBody('hi')).length / 4);
    expect(await count(await start())).toEqual({ input_tokens: size });
    await running?.close();
    expect(await count(await start({ countTokens: 42 }))).toEqual({ input_tokens: 42 });
    await running?.close();
    const model = await start({ countTokens: (request) => request.messages.length });
    expect(await count(model)).toEqual({ input_tokens: 1 });
    model.verify();
  });

  it('answers probes and expects nothing of them', async () => {
    const model = await start();
    expect((await fetch(model.url, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${model.url}/`)).status).toBe(200);
    expect(await (await fetch(`${model.url}/v1/models`)).json()).toMatchObject({
      error: { type: 'not_found_error' },
    });
    expect(model.requests.map((request) => request.kind)).toEqual(['probe', 'probe', 'probe']);
    model.verify();
  });
});

describe('log', () => {
  it('keeps every request as it came, in order', async () => {
    const model = await start({ script: [text('a')] });
    await fetch(model.url, { method: 'HEAD' });
    const body = createBody('hi', { cache_control: { type: 'ephemeral' } });
    await (await postMessage(model, body, { headers: { 'anthropic-beta': 'x' } })).text();
    const [, request] = model.requests;
    expect(request).toMatchObject({
      index: 1,
      kind: 'conversation',
      method: 'POST',
      url: '/v1/messages?beta=true',
      path: '/v1/messages',
      rawBody: JSON.stringify(body),
      body,
    });
    expect(request?.headers['anthropic-beta']).toBe('x');
    expect(await request?.settled).toBe('answered');
    expect(request?.outcome).toBe('answered');
    expect(model.conversation).toEqual([request]);
  });

  it('finds requests past and to come', async () => {
    const model = await start({ script: [text('a'), text('b')] });
    const coming = model.waitFor((request) => request.userText === 'two');
    await askText(model, 'one');
    expect((await model.waitFor((request) => request.userText === 'one')).index).toBe(0);
    await askText(model, 'two');
    expect((await coming).index).toBe(1);
  });

  it('hands what a search throws to the one who searched, and answers all the same', async () => {
    const model = await start({ script: [text('a')] });
    const search = model.waitFor(() => {
      throw new Error('odd');
    });
    expect(await askText(model, 'one')).toBe('a');
    await expect(search).rejects.toThrow('odd');
  });
});

describe('what was not scripted', () => {
  it('is answered with an error that nobody repeats, and reported at the end', async () => {
    const model = await start({ script: [text('only')] });
    await askText(model, 'one');
    const response = await postMessage(model, createBody('two'), { headers: inSession('s-1') });
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([418, 'false']);
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: { message: expect.stringContaining('all 1 steps of script are used up') as string },
    });
    expect(model.requests[1]?.outcome).toBe('unexpected');
    expect(() => model.verify()).toThrow(ScriptMismatchError);
    expect(() => model.verify()).toThrow(/requests\[1\], POST .*session s-1.*"two"/);
  });

  it('fails the closing, unless it was reported before or nobody asks', async () => {
    const failing = await start();
    await postMessage(failing, createBody('hi'));
    await expect(failing.close()).rejects.toThrow('nothing is scripted for it');
    await failing.close();

    const reported = await start();
    await postMessage(reported, createBody('hi'));
    expect(() => reported.verify()).toThrow(ScriptMismatchError);
    await reported.close();

    const unasked = await start();
    await postMessage(unasked, createBody('hi'));
    await unasked.close({ verify: false });
    await expect(unasked.close()).rejects.toThrow(ScriptMismatchError);
  });

  it('fails the end of a scope', async () => {
    const model = await start();
    await postMessage(model, createBody('hi'));
    await expect(model[Symbol.asyncDispose]()).rejects.toThrow(ScriptMismatchError);
  });

  it('counts steps that nobody asked for', async () => {
    const model = await start({ script: [text('a'), toolUse('Bash'), apiError(500)] });
    await askText(model, 'hi');
    expect(() => model.verify()).toThrow(
      '2 of 3 steps of script were never used; the next one was [1], toolUse(Bash)',
    );
  });

  it('counts what is no request of the API', async () => {
    const model = await start({ script: [] });
    for (const path of ['/v1/messages', '/v1/complete']) {
      const response = await fetch(model.url + path, { method: 'POST', body: 'not json' });
      expect(response.status).toBe(418);
    }
    expect(model.requests.map((request) => request.rawBody)).toEqual(['not json', 'not json']);
    const failure = await model.close().catch((error: unknown) => error);
    expect((failure as ScriptMismatchError).problems).toHaveLength(2);
  });

  it('is answered by onExhausted when that is a step', async () => {
    const model = await start({
      script: [text('a')],
      onExhausted: (request) => text(`more ${request.index}`),
    });
    expect(await askText(model, 'x')).toBe('a');
    expect(await askText(model, 'x')).toBe('more 1');
    expect(await askText(model, 'x')).toBe('more 2');
    model.verify();
  });

  it('lets a step look whether a tool was called', async () => {
    const model = await start({
      onExhausted: ({ answer, answers, prompt }) =>
        text(answer ? `read ${answer.text}` : `${answers.length} answers to ${prompt}`),
    });
    expect(await askText(model, 'x')).toBe('0 answers to x');
    model.verify();
  });

  it('says of a step that needs an answer that no tool was called', async () => {
    const model = await start({ script: [({ answer }) => text(answer.text)] });
    const response = await postMessage(model, createBody('x'));
    expect(response.status).toBe(418);
    const message = 'No tool has been called yet, so "answer" is undefined in the context';
    expect(JSON.stringify(await response.json())).toContain(JSON.stringify(message).slice(1, -1));
    expect(() => model.verify()).toThrow(message);
  });

  it('includes functions that throw, now or later, or return no reply', async () => {
    const model = await start({
      script: [
        () => {
          throw new TypeError('now');
        },
        () => Promise.reject(new Error('later')),
        (() => 'just text') as unknown as () => ReturnType<typeof text>,
      ],
    });
    for (const [index, message] of ['now', 'later', 'is not a reply'].entries()) {
      const response = await postMessage(model, createBody('hi'));
      expect(response.status).toBe(418);
      expect(JSON.stringify(await response.json())).toContain(message);
      expect(model.requests[index]?.outcome).toBe('failed');
    }
    const failure = (await model.close().catch((error: unknown) => error)) as ScriptMismatchError;
    expect(failure.problems).toHaveLength(3);
    expect(failure.problems[0]).toContain('script[0] threw: TypeError: now');
    expect(failure.cause).toBeInstanceOf(TypeError);
  });
});

describe('routing', () => {
  it('separates conversations by what the user said', async () => {
    const model = await start({
      script: [text('rest')],
      conversations: [
        { when: 'MARK-A', script: [text('a1'), text('a2')] },
        // A global pattern must not remember where it matched last.
        { when: /mark-b/gi, script: [text('b1'), text('b2')] },
        { when: (request) => request.sessionId === 's-c', script: [text('c1')] },
      ],
    });
    expect(await askText(model, 'do MARK-A')).toBe('a1');
    expect(await askText(model, 'Mark-B please')).toBe('b1');
    expect(await askText(model, 'Mark-B please')).toBe('b2');
    expect(await askText(model, 'anything', inSession('s-c'))).toBe('c1');
    expect(await askText(model, 'do MARK-A')).toBe('a2');
    expect(await askText(model, 'else')).toBe('rest');
    model.verify();
    expect((await postMessage(model, createBody('do MARK-A'))).status).toBe(418);
    expect(() => model.verify()).toThrow('all 2 steps of conversations[0].script are used up');
  });

  it('runs a script for every session when asked to, however they interleave', async () => {
    const steps = [1, 2, 3, 4].map((step) => text(`step ${step}`));
    const model = await start({ conversations: [{ when: '', perSession: true, script: steps }] });
    const sessions = Array.from({ length: 25 }, (_, index) => `s-${index}`);
    const answers = await Promise.all(
      sessions.map(async (session) => {
        const texts: string[] = [];
        for (const step of steps.keys()) texts.push(await askText(model, `turn ${step}`, inSession(session)));
        return texts.join();
      }),
    );
    expect(new Set(answers)).toEqual(new Set(['step 1,step 2,step 3,step 4']));
    model.verify();
    await askText(model, 'one more session', inSession('late'));
    expect(() => model.verify()).toThrow(
      '3 of 4 steps of conversations[0].script were never used in session late',
    );
  });

  it('uses each step once for requests that come together', async () => {
    const numbers = Array.from({ length: 40 }, (_, index) => String(index));
    const model = await start({ script: numbers.map((number) => text(number)) });
    const answers = await Promise.all(numbers.map(() => askText(model, 'hi')));
    expect(answers.toSorted((a, b) => Number(a) - Number(b))).toEqual(numbers);
    model.verify();
  });

  it('asks others first, for requests of every kind', async () => {
    const model = await start({
      script: [text('scripted')],
      others: [
        { when: (request) => request.kind === 'side', reply: text('aside') },
        { when: 'suggest', reply: text('suggestion') },
        { when: (request) => request.kind === 'count_tokens', reply: apiError(404) },
        { when: (request) => request.path === '/v1/files', reply: { status: 200, body: { files: [] } } },
      ],
    });
    const probe = await postMessage(model, createBody('Hi', { max_tokens: 1 }));
    expect(await probe.json()).toMatchObject({ content: [{ text: 'aside' }] });
    expect(await askText(model, 'suggest a')).toBe('suggestion');
    expect(await askText(model, 'suggest b')).toBe('suggestion');
    expect((await postMessage(model, createBody('x'), { path: '/v1/messages/count_tokens' })).status).toBe(
      404,
    );
    expect(await (await postMessage(model, {}, { path: '/v1/files' })).json()).toEqual({ files: [] });
    expect(await askText(model, 'go')).toBe('scripted');
    model.verify();
  });

  it('reports a "when" that throws', async () => {
    const model = await start({
      others: [
        {
          when: () => {
            throw new Error('odd');
          },
          reply: text('x'),
        },
      ],
    });
    expect((await postMessage(model, createBody('x'))).status).toBe(418);
    expect(() => model.verify()).toThrow('a "when" threw: Error: odd');
  });
});

describe('options', () => {
  const wrong: [string, unknown, string][] = [
    ['a step that is a text', { script: [text('a'), 'b'] }, 'script[1]'],
    ['a script that is no list', { script: text('a') }, 'script must be a list'],
    ['others that are no list', { others: () => text('a') }, 'others must be a list'],
    ['conversations that are no list', { conversations: { when: 'a' } }, 'conversations must be a list'],
    ['a status that is none', { script: [{ status: 99, body: '' }] }, 'status 99'],
    ['a conversation without "when"', { conversations: [{ script: [] }] }, 'conversations[0]'],
    ['an answer that is none', { others: [{ when: 'x', reply: {} }] }, 'others[0].reply'],
    ['an ending that is none', { onExhausted: 'stop' }, 'onExhausted'],
    [
      'a hold by nothing',
      { script: [{ ...text('a'), hold: { until: {} } }] },
      'neither a gate nor a promise',
    ],
    ['a count that is none', { countTokens: -1 }, 'countTokens'],
    [
      'a cut behind the end',
      { script: [reply(text('a'), { cut: { afterEvents: 6 } })] },
      'script[0] is cut at {"afterEvents":6}, but its stream has 6 events and 1 blocks',
    ],
    [
      'a hold in a block that is not there',
      { script: [reply(text('a'), { hold: { until: Promise.resolve(), at: { insideBlock: 1 } } })] },
      'script[0] is held at',
    ],
    [
      'a hold in the stream of an error',
      { script: [{ ...apiError(500), hold: { until: Promise.resolve(), at: { afterEvents: 1 } } }] },
      'has no stream',
    ],
  ];
  it.each(wrong)('refuses %s and names the place', async (_name, options, message) => {
    await expect(startScriptedModel(options as ScriptedModelOptions)).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
      message: expect.stringContaining(message) as string,
    });
  });
});

describe('what is neither a script nor options', () => {
  it.each([
    ['a function', () => text('x'), /takes a list of steps.*given a function/],
    ['a string', 'hi', /takes a list of steps.*given a string/],
    ['null', null, /takes a list of steps.*given null/],
    ['a step', text('x'), /A single step goes into a list/],
    ['a misspelled option', { skript: [] }, /no option "skript"\. Did you mean "script"\?/],
    ['an unknown option', { replies: [] }, /no option "replies"\. Its options are: script, conversations/],
  ])('is refused: %s', async (_what, given, message) => {
    await expect(startScriptedModel(given as never)).rejects.toThrow(message);
    await expect(startScriptedModel(given as never)).rejects.toMatchObject({ code: 'INVALID_OPTIONS' });
  });
});

describe('what a step that is a function is told', () => {
  it('is the prompt of the user, not what the CLI puts beside it or says by itself after a crash', async () => {
    const model = await start({ script: [({ prompt }) => text(prompt)] });
    const said = ['<system-reminder>Today is Monday.</system-reminder>', 'Count the apples.'].map(
      (words) => ({ type: 'text', text: words }),
    );
    const messages = [
      { role: 'user', content: said },
      { role: 'assistant', content: [{ type: 'text', text: 'I' }] },
      { role: 'user', content: [{ type: 'text', text: 'Continue from where you left off.' }] },
    ];
    const response = await postMessage(model, createBody('', { messages }));
    expect(await response.json()).toMatchObject({ content: [{ text: 'Count the apples.' }] });
  });
});
