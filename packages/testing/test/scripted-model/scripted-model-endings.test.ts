// How answers end before their time: cuts, gates, clients that leave, a model that closes.
import { once } from 'node:events';
import { request as sendRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { SessionClosedError } from '@inboard/core/errors.js';
import {
  apiError,
  cut,
  delayed,
  gate,
  held,
  reply,
  startScriptedModel,
  text,
  toolUse,
} from '@inboard/inboard/testing.js';
import type { ScriptedModel, ScriptedModelOptions, Step } from '@inboard/inboard/testing.js';
import { askText, createBody, postMessage, readEvents } from './ask-model.js';

let running: ScriptedModel | undefined;
const start = async (options: ScriptedModelOptions): Promise<ScriptedModel> => {
  running = await startScriptedModel(options);
  return running;
};
afterEach(async () => {
  await running?.close({ verify: false });
  running = undefined;
});

const streaming = (userText = 'hi'): Record<string, unknown> => createBody(userText, { stream: true });

describe('cut', () => {
  it('drops the connection at its point and never takes back what was sent', async () => {
    const whole = reply(text(['one', 'two']), toolUse('Bash', { command: 'ls' }));
    const points: [Step, string[]][] = [
      [cut(whole, { afterEvents: 0 }), []],
      [cut(whole, { afterEvents: 1 }), ['message_start', 'ping']],
      [
        cut(whole, { insideBlock: 0 }),
        ['message_start', 'ping', 'content_block_start', 'content_block_delta'],
      ],
    ];
    const model = await start({ script: points.map(([step]) => step) });
    for (const [index, [, expected]] of points.entries()) {
      const { events, isBroken } = await readEvents(await postMessage(model, streaming()));
      expect(events.map((event) => event.name)).toEqual(expected);
      expect(isBroken).toBe(true);
      expect(await model.requests[index]?.settled).toBe('cut');
    }
    model.verify();
  });

  it('can end tidily, or with an error event', async () => {
    const error = { type: 'overloaded_error', message: 'Overloaded' };
    const model = await start({
      script: [
        cut(text(['one', 'two']), { insideBlock: 0, how: 'end' }),
        cut(text(['one', 'two']), { insideBlock: 0, how: error }),
      ],
    });
    const ended = await readEvents(await postMessage(model, streaming()));
    expect([ended.events.at(-1)?.name, ended.isBroken]).toEqual(['content_block_delta', false]);
    const failed = await readEvents(await postMessage(model, streaming()));
    expect(failed.isBroken).toBe(false);
    expect(failed.events.at(-1)).toEqual({ name: 'error', data: { type: 'error', error } });
  });

  it('halves an answer that is not streamed, and turns an error event into an error', async () => {
    const point = { insideBlock: 0 } as const;
    const model = await start({
      script: [
        cut(text('hello'), point),
        cut(text('hello'), { ...point, how: 'end' }),
        cut(text('hello'), { ...point, how: { type: 'overloaded_error', message: 'Overloaded' } }),
        cut(apiError(500), { afterEvents: 0 }),
      ],
    });
    const ask = (): Promise<Response> => postMessage(model, createBody('hi'));
    await expect((await ask()).text()).rejects.toThrow();
    const half = await (await ask()).text();
    expect(half).toMatch(/^\{"id":"msg_/);
    expect(() => JSON.parse(half) as unknown).toThrow(SyntaxError);
    const error = await ask();
    expect(error.status).toBe(529);
    expect(await error.json()).toMatchObject({ error: { message: 'Overloaded' } });
    const broken = await ask();
    expect(broken.status).toBe(500);
    await expect(broken.text()).rejects.toThrow();
    model.verify();
  });
});

describe('held', () => {
  it('answers when the gate opens, and says who waits there', async () => {
    const door = gate();
    const model = await start({ script: [held(text('late'), door)] });
    let hasAnswer = false;
    const answer = askText(model, 'hi').finally(() => (hasAnswer = true));
    expect((await door.reached).userText).toBe('hi');
    expect([hasAnswer, door.isOpen, model.requests[0]?.outcome]).toEqual([false, false, undefined]);
    door.open();
    expect(await answer).toBe('late');
    expect(door.isOpen).toBe(true);
  });

  it('stops in the middle of a stream', async () => {
    const door = gate();
    const model = await start({
      script: [held(text(['par', 'tial']), { until: door, at: { insideBlock: 0 } })],
    });
    const seen: unknown[] = [];
    const { events } = await readEvents(await postMessage(model, streaming()), ({ name, data }) => {
      if (name !== 'content_block_delta') return;
      seen.push(data['delta'], door.isOpen);
      door.open();
    });
    // The second delta can only have come after the first was read here and the gate opened.
    expect(seen).toEqual([
      { type: 'text_delta', text: 'par' },
      false,
      { type: 'text_delta', text: 'tial' },
      true,
    ]);
    expect(events.at(-1)?.name).toBe('message_stop');
  });

  it('holds errors, answers that are not streamed, and lets the rest of the script go on meanwhile', async () => {
    const door = gate();
    const model = await start({
      script: [
        held(apiError(529), door),
        held(text('whole'), { until: door, at: { insideBlock: 0 } }),
        text('meanwhile'),
      ],
    });
    const error = postMessage(model, createBody('one'));
    await model.waitFor((request) => request.index === 0);
    const whole = askText(model, 'two');
    await model.waitFor((request) => request.index === 1);
    expect(await askText(model, 'three')).toBe('meanwhile');
    door.open();
    expect((await error).status).toBe(529);
    expect(await whole).toBe('whole');
    model.verify();
  });

  it('waits for a promise too, and reports one that rejects', async () => {
    const model = await start({
      script: [
        held(text('a'), Promise.resolve()),
        () => held(text('b'), Promise.reject(new Error('broken hold'))),
        () =>
          held(text(['c', 'd']), { until: Promise.reject(new Error('late break')), at: { insideBlock: 0 } }),
      ],
    });
    expect(await askText(model, 'hi')).toBe('a');
    expect((await postMessage(model, createBody('hi'))).status).toBe(418);
    const { isBroken } = await readEvents(await postMessage(model, streaming()));
    expect(isBroken).toBe(true);
    expect(await model.requests[2]?.settled).toBe('failed');
    expect(() => model.verify()).toThrow(
      /script\[1\] threw: Error: broken hold[^]*script\[2\] threw: Error: late break/,
    );
  });

  it('forgets a client that leaves, wherever it was held', async () => {
    const [first, middle, working] = [gate(), gate(), gate()];
    const model = await start({
      script: [
        held(text('x'), first),
        held(text(['x', 'y']), { until: middle, at: { insideBlock: 0 } }),
        async () => {
          working.open();
          return new Promise<never>(() => {});
        },
        delayed(text('x'), 3_600_000),
        reply(text(['x', 'y']), { eventDelayMs: 3_600_000 }),
        text('next'),
      ],
    });
    for (const isThere of [first.reached, middle.reached, undefined, undefined, undefined]) {
      const index = model.requests.length;
      const client = new AbortController();
      const asked = postMessage(model, streaming(), { signal: client.signal }).then((response) =>
        response.text(),
      );
      const request = await model.waitFor((candidate) => candidate.index === index);
      await isThere;
      client.abort();
      await expect(asked).rejects.toThrow();
      expect(await request.settled).toBe('disconnected');
    }
    expect(working.isOpen).toBe(true);
    first.open();
    middle.open();
    expect(await askText(model, 'hi')).toBe('next');
    await model.close();
  });
});

describe('clients', () => {
  it('may leave a large answer unread', async () => {
    const model = await start({ script: [text('x'.repeat(64 * 1024 * 1024))] });
    const client = sendRequest(`${model.url}/v1/messages`, { method: 'POST' });
    client.on('error', () => {});
    client.end(JSON.stringify(streaming()));
    const [response] = (await once(client, 'response')) as [IncomingMessage];
    response.on('error', () => {});
    expect(model.requests[0]?.outcome).toBeUndefined();
    client.destroy();
    expect(await model.requests[0]?.settled).toBe('disconnected');
  });

  it('may read a large answer slowly and get all of it', async () => {
    const large = 'x'.repeat(8 * 1024 * 1024);
    const model = await start({ script: [text(large)] });
    const { events } = await readEvents(await postMessage(model, streaming()));
    expect(events.find((event) => event.name === 'content_block_delta')?.data['delta']).toEqual({
      type: 'text_delta',
      text: large,
    });
  });

  it('may leave before they have asked anything', async () => {
    const model = await start({ script: [text('a')] });
    const socket = connect(Number(new URL(model.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      'POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\nexpect: 100-continue\r\n\r\n',
    );
    // The answer to `expect` shows that the model is reading the body.
    await once(socket, 'data');
    socket.destroy();
    await once(socket, 'close');
    expect(await askText(model, 'hi')).toBe('a');
    expect(model.requests).toHaveLength(1);
    await model.close();
  });
});

describe('close', () => {
  it('ends open answers and rejects waiting callers', async () => {
    const door = gate();
    const unreached = gate();
    const model = await start({ script: [held(text('x'), door), held(text('y'), unreached)] });
    const asked = postMessage(model, createBody('hi'));
    await door.reached;
    const search = model.waitFor((request) => request.index === 7);
    await model.close({ verify: false });
    await expect(asked).rejects.toThrow();
    expect(model.requests[0]?.outcome).toBe('disconnected');
    await expect(search).rejects.toBeInstanceOf(SessionClosedError);
    await expect(unreached.reached).rejects.toBeInstanceOf(SessionClosedError);
    expect((await door.reached).index).toBe(0);
    await expect(model.waitFor((request) => request.index === 7)).rejects.toBeInstanceOf(SessionClosedError);
    await expect(fetch(model.url)).rejects.toThrow();
  });

  it('may be called again and at the same time', async () => {
    const model = await start({ script: [text('a')] });
    await askText(model, 'hi');
    await Promise.all([model.close(), model.close()]);
    await model.close();
    expect(model.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });
});
