// What a chat refuses, and that it says why: wrong bodies, foreign pages, unknown routes, strangers.
import { describe, expect, it, vi } from 'vitest';
import { openSession } from '@inboard/inboard/index.js';
import { createFakeCli } from '@inboard/inboard/testing.js';
import { say } from '@inboard/testing/fake-cli/script/build-steps.js';
import { createUiChat, type UiChatOptions } from '@inboard/inboard/ui.js';
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { createScene } from './chat-scene.js';
import { readEvents } from './chunks.js';

const chatOf = (more: Partial<UiChatOptions> = {}): ReturnType<typeof createUiChat> =>
  createUiChat({
    session: () => {
      throw new Error('opened with /secret/path');
    },
    ...more,
  });

const request = (path: string, init: RequestInit = {}): Request =>
  new Request(`http://chat.test${path}`, {
    method: 'POST',
    ...init,
    headers: { 'content-type': 'application/json', host: 'chat.test', ...(init.headers as object) },
  });
const user = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hi.' }] };
const post = (body: unknown, headers: Record<string, string> = {}): Request =>
  request('/', { body: typeof body === 'string' ? body : JSON.stringify(body), headers });

async function refusal(answer: Response | Promise<Response>): Promise<[number, string]> {
  const response = await answer;
  const { message } = (await response.json()) as { message: string };
  return [response.status, message];
}

describe('an id that useChat made up', () => {
  // Sixteen letters and digits.
  const id = 'kZ1QnS0vX4eTb7Ya';

  it('is refused with the reason where the chat gives it to its session', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const fake = createFakeCli(() => [say('Hello.')], { allowEarlyEnd: true });
    const chat = createUiChat({
      session: ({ id: sessionId }) => openSession({ options: { transport: fake.transport, sessionId } }),
    });
    const [status, message] = await refusal(chat.fetch(post({ id, messages: [user] })));
    expect(status).toBe(400);
    expect(message).toContain(`id: "${id}" is not a UUID`);
    expect(message).toContain('useChat({ id: crypto.randomUUID() })');
    expect(warned).not.toHaveBeenCalled();
    await expect(chat.open(id)).rejects.toThrow('is not a UUID');
    const good = await chat.fetch(post({ id: crypto.randomUUID(), messages: [user] }));
    expect(good.status).toBe(200);
    await readEvents(good);
    await chat.close();
    await fake.close({ verify: false });
    warned.mockRestore();
  });

  it('is taken where it is not, and other wrong options stay with the operator', async () => {
    const { chat } = createScene(() => [say('Hello.')]);
    const answered = await chat.fetch(post({ id, messages: [user] }));
    expect(answered.status).toBe(200);
    await readEvents(answered);
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const wrong = chatOf({
      session: () => {
        throw new InvalidOptionsError(['cwd'], '/secret/path');
      },
    });
    const [status, message] = await refusal(wrong.fetch(post({ id, messages: [user] })));
    expect([status, message]).toEqual([500, expect.not.stringContaining('secret')]);
    expect(warned).toHaveBeenCalled();
    warned.mockRestore();
  });
});

describe('the body of a message', () => {
  const last = (message: unknown): object => ({ id: 'c', messages: [message] });
  const file = (fields: object): object => last({ ...user, parts: [{ type: 'file', ...fields }] });
  it.each([
    ['no JSON', '{', 'body'],
    ['no object', '[]', 'body'],
    ['no id', { messages: [user] }, 'id'],
    ['an id that leads elsewhere', { id: '../x', messages: [user] }, 'id'],
    ['an id that is a folder', { id: '..', messages: [user] }, 'id'],
    ['an id that is too long', { id: 'x'.repeat(201), messages: [user] }, 'id'],
    ['no messages', { id: 'c' }, 'messages'],
    ['an empty list', { id: 'c', messages: [] }, 'messages'],
    ['a message that is none', last('Hi.'), 'messages[0]'],
    ['a message without an id', last({ ...user, id: undefined }), 'messages[0].id'],
    ['a strange role', last({ ...user, role: 'system' }), 'messages[0].role'],
    ['a strange trigger', { ...last(user), trigger: 'resume-stream' }, 'trigger'],
    ['no parts', last({ ...user, parts: undefined }), 'messages[0].parts'],
    ['no text at all', last({ ...user, parts: [{ type: 'text', text: ' ' }] }), 'messages[0].parts'],
    [
      'a text that is none',
      last({ ...user, parts: [{ type: 'text', text: 1 }] }),
      'messages[0].parts[0].text',
    ],
    ['a strange part', last({ ...user, parts: [{ type: 'tool-x' }] }), 'messages[0].parts[0].type'],
    ['too many parts', last({ ...user, parts: Array.from({ length: 101 }, () => user.parts[0]) }), 'parts'],
    ['a file elsewhere', file({ url: 'http://127.0.0.1/' }), 'messages[0].parts[0].url'],
    ['a file without a type', file({ url: 'data:,x' }), 'messages[0].parts[0].url'],
    ['a file that is no base64', file({ url: 'data:image/png;base64,%' }), 'messages[0].parts[0].url'],
    ['a file nobody reads', file({ url: 'data:video/mp4;base64,aGk=' }), 'messages[0].parts[0]'],
    [
      'an approval that is none',
      last({ id: 'a', role: 'assistant', parts: [{ state: 'approval-responded', approval: { id: 'x' } }] }),
      'messages[0].parts[0].approval.approved',
    ],
    [
      'an input that is no object',
      {
        ...last({
          id: 'a',
          role: 'assistant',
          parts: [{ state: 'approval-responded', approval: { id: 'x', approved: true } }],
        }),
        approvalInputs: { x: 'text' },
      },
      'approvalInputs.x',
    ],
  ])('is refused with %s, by the name of the field', async (_, body, field) => {
    const session = vi.fn();
    const [status, message] = await refusal(chatOf({ session }).fetch(post(body)));
    expect([status, message]).toEqual([400, expect.stringContaining(field)]);
    expect(session).not.toHaveBeenCalled();
  });

  it('is refused when it is too long, announced or not', async () => {
    const chat = chatOf({ maxBodyBytes: 100 });
    const long = JSON.stringify({ id: 'c', messages: [{ ...user, more: 'x'.repeat(200) }] });
    expect(await refusal(chat.fetch(post(long)))).toEqual([413, expect.stringContaining('100 bytes')]);
    const stream = new Blob([long]).stream();
    const streamed = request('/', { body: stream, duplex: 'half' });
    expect((await chat.fetch(streamed)).status).toBe(413);
  });

  it('is refused when it is no JSON by its own word', async () => {
    const answer = chatOf().fetch(post('x=1', { 'content-type': 'application/x-www-form-urlencoded' }));
    expect((await answer).status).toBe(415);
  });

  it('may have a long file that is written out', async () => {
    const { page } = createScene([say('seen')]);
    const part = { type: 'file', mediaType: 'text/plain', url: `data:text/plain,${'x'.repeat(500_000)}` };
    const response = await page.fetch('', { id: 'c1', messages: [{ ...user, parts: [part] }] });
    expect(response.status).toBe(200);
    await readEvents(response);
  });

  it('cannot unsay what was said', async () => {
    const again = { id: 'c', trigger: 'regenerate-message', messageId: 'a', messages: [user] };
    expect(await refusal(chatOf().fetch(post(again)))).toEqual([
      400,
      expect.stringContaining('generated again'),
    ]);
    const edited = { id: 'c', trigger: 'submit-message', messageId: 'u', messages: [user] };
    expect(await refusal(chatOf().fetch(post(edited)))).toEqual([400, expect.stringContaining('changed')]);
  });
});

describe('a route', () => {
  it.each([
    ['GET', '/api/chat', 405],
    ['DELETE', '/api/chat/c/stream', 405],
    ['POST', '/api/chat/c/stream', 405],
    ['GET', '/api/chat/c/stop', 405],
    ['GET', '/api/chat/%2e%2e%2f/stream', 400],
    ['GET', '/api/chat/%zz/stream', 404],
    ['GET', '/other/c/stream', 404],
    ['POST', '/api/chat/more', 404],
    ['GET', '/api/chat/a/b/stream', 404],
    ['GET', '/api/chat/c/stream', 204],
    ['GET', '/api/chat/c/approvals', 200],
    ['POST', '/api/chat/c/stop', 200],
  ])('%s %s is %i', async (method, path, status) => {
    const response = await chatOf({ basePath: '/api/chat' }).fetch(request(path, { method }));
    expect(response.status).toBe(status);
    if (status === 405) expect(response.headers.get('allow')).toBeTruthy();
  });
});

describe('a page of another site', () => {
  const from = async (origin: string, more: Partial<UiChatOptions> = {}): Promise<number> =>
    (await chatOf(more).fetch(request('/c/stop', { headers: { origin } }))).status;

  it('may not write, unless it is named', async () => {
    expect(await from('http://chat.test')).toBe(200);
    expect(await from('https://chat.test')).toBe(200);
    expect(await from('https://evil.test')).toBe(403);
    expect(await from('http://chat.test:8080')).toBe(403);
    expect(await from('null')).toBe(403);
    expect(await from('https://app.test', { allowedOrigins: ['https://app.test'] })).toBe(200);
    expect(await from('https://evil.test', { allowedOrigins: ['https://app.test'] })).toBe(403);
    expect(await from('https://evil.test', { allowedOrigins: '*' })).toBe(200);
  });
});

describe('a stranger', () => {
  const verdicts: [string, NonNullable<UiChatOptions['authorize']>, number][] = [
    ['false', () => false, 403],
    ['nothing', () => undefined as never, 403],
    ['something like a yes', () => 1 as never, 403],
    ['a response', () => new Response('Log in.', { status: 401 }), 401],
    ['an error', () => Promise.reject(new Error('/secret')), 500],
    ['a yes', async () => true, 200],
  ];
  it.each(verdicts)('who gets %s', async (_, authorize, status) => {
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const response = await chatOf({ authorize }).fetch(request('/c/stop'));
    expect(response.status).toBe(status);
    expect(await response.text()).not.toContain('secret');
  });

  it('is told of by chat and deed', async () => {
    const seen: unknown[] = [];
    const chat = chatOf({
      authorize: (_request, access) => {
        seen.push(access);
        return false;
      },
    });
    await chat.fetch(post({ id: 'c', messages: [user] }));
    await chat.fetch(request('/c/approvals', { method: 'GET' }));
    await chat.fetch(request('/c/approvals', { body: '{}' }));
    expect(seen).toEqual([
      { chatId: 'c', action: 'send' },
      { chatId: 'c', action: 'list' },
      { chatId: 'c', action: 'answer' },
    ]);
  });
});

describe('a session', () => {
  it('that cannot be opened is told to the operator alone', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const chat = chatOf();
    const [status, message] = await refusal(chat.fetch(post({ id: 'c', messages: [user] })));
    expect([status, message]).toEqual([500, expect.not.stringContaining('secret')]);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('/secret/path'), expect.anything());
    await expect(chat.open('c')).rejects.toThrow('/secret/path');
    await expect(chat.open('../c')).rejects.toThrow(InvalidOptionsError);
  });

  it('may be refused with a response', async () => {
    const session = (): never => {
      // oxlint-disable-next-line only-throw-error -- as the documentation says
      throw new Response('No such chat', { status: 404 });
    };
    const response = await chatOf({ session }).fetch(post({ id: 'c', messages: [user] }));
    expect([response.status, await response.text()]).toEqual([404, 'No such chat']);
  });

  it('that is none is a fault of the program', async () => {
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    await expect(chatOf({ session: () => ({}) as never }).open('c')).rejects.toThrow(InvalidOptionsError);
  });

  it('is opened once for requests that come together, and again when it has ended', async () => {
    const { page, chat, opened } = createScene([say('Hi.')], { session: { lazy: true } });
    await Promise.all([chat.open('c1'), chat.open('c1'), page.send('Hi.')]);
    expect(opened).toEqual(['c1']);
    await using fake = createFakeCli([say('one')], { allowEarlyEnd: true });
    let session: ReturnType<typeof openSession> | undefined;
    let count = 0;
    const other = createUiChat({
      session: () => {
        count += 1;
        return (session = openSession({ options: { transport: fake.transport } }));
      },
    });
    await other.open('c');
    await session?.close();
    await readEvents(await other.fetch(post({ id: 'c', messages: [user] })));
    expect(count).toBe(2);
    await other.close();
  });

  it('makes room for another when it is idle, and not when all are busy', async () => {
    const { chat, opened } = createScene([say('Hi.')], { chat: { maxChats: 1 } });
    await chat.open('a');
    await chat.open('b');
    await chat.open('a');
    expect(opened).toEqual(['a', 'b', 'a']);
    const busy = createScene([() => new Promise<never>(() => {})], { chat: { maxChats: 1 } });
    await busy.page.post('Hi.');
    const [status] = await refusal(busy.chat.fetch(post({ id: 'other', messages: [user] })));
    expect(status).toBe(503);
  });
});

describe('options', () => {
  it.each([
    ['no factory', {}],
    ['a path that is none', { basePath: 'api' }],
    ['an origin that is none', { allowedOrigins: ['app.test'] }],
    ['origins that are no list', { allowedOrigins: 'https://app.test' }],
    ['a number that is none', { maxChats: 0 }],
    ['another one', { maxBodyBytes: Number.NaN }],
    ['a misspelt guard', { authorise: () => false }],
  ])('with %s are refused', (title, more) => {
    const given = title === 'no factory' ? more : { session: () => openSession(), ...more };
    expect(() => createUiChat(given as never)).toThrow(InvalidOptionsError);
  });
});
