// The text of a query, of a turn and of a session while it comes: each piece once, whether or not the CLI streams.
import { describe, expect, it } from 'vitest';
import { AbortError } from '../../src/errors.js';
import { createFakeCli, expectPrompt, send } from '@inboard/inboard/testing.js';
import { say, useTool } from '@inboard/testing/fake-cli/script/build-steps.js';
import type { FakeCliOptions, FakeScript } from '@inboard/inboard/testing.js';
import type { WireObject } from '../../src/wire/protocol/codec.js';
import type { SDKMessage } from '../../src/wire/protocol/messages/messages.js';
import { openSession } from '../../src/verbs/conversation/open-session.js';
import { startup } from '../../src/verbs/fleet/startup.js';
import { query } from '../../src/verbs/query/query.js';
import { run } from '../../src/verbs/query/run.js';

const VERSIONS = ['2.1.325', '2.1.33'];
const HELLO = say(['He', 'l', 'lo']);

async function readAll<Item>(stream: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

const kindsOf = (messages: readonly SDKMessage[]): string[] =>
  messages.map((message) => (message.type === 'system' ? message.subtype : message.type));

/** A fake that may be left in the middle. */
const fakeOf = (script: FakeScript, options: FakeCliOptions = {}): ReturnType<typeof createFakeCli> =>
  createFakeCli(script, { allowEarlyEnd: true, ...options });

describe.each(VERSIONS)('the text stream of a query, CLI %s', (version) => {
  it('gives the pieces, and nothing twice', async () => {
    await using fake = fakeOf([HELLO], { version });
    const q = query({ prompt: 'Go.', options: { transport: fake.transport } });
    expect(await readAll(q.textStream())).toEqual(['He', 'l', 'lo']);
  });

  it('leaves the messages as they are without it', async () => {
    const kinds: string[][] = [];
    for (const isStreamed of [false, true]) {
      await using fake = fakeOf([HELLO], { version });
      const q = query({ prompt: 'Go.', options: { transport: fake.transport } });
      const texts = isStreamed ? readAll(q.textStream()) : undefined;
      kinds.push(kindsOf(await readAll(q)));
      expect(await texts).toEqual(isStreamed ? ['He', 'l', 'lo'] : undefined);
    }
    expect(kinds[1]).toEqual(kinds[0]);
    expect(kinds[0]).toContain('result');
  });

  it('stands beside the partial messages where those were asked for', async () => {
    await using fake = fakeOf([HELLO], { version });
    const q = query({ prompt: 'Go.', options: { transport: fake.transport, includePartialMessages: true } });
    const [texts, messages] = await Promise.all([readAll(q.textStream()), readAll(q)]);
    expect(texts).toEqual(['He', 'l', 'lo']);
    expect(kindsOf(messages)).toContain('stream_event');
  });

  it('gives whole texts where the CLI was started before', async () => {
    await using fake = fakeOf([HELLO], { version });
    await using warm = await startup({ options: { transport: fake.transport } });
    expect(await readAll(warm.query('Go.').textStream())).toEqual(['Hello']);
  });

  it('gives pieces of a CLI that was started before, with the option streamText', async () => {
    await using fake = fakeOf([HELLO], { version });
    await using warm = await startup({ options: { transport: fake.transport, streamText: true } });
    const q = warm.query('Go.');
    const [texts, messages] = await Promise.all([readAll(q.textStream()), readAll(q)]);
    expect(texts).toEqual(['He', 'l', 'lo']);
    expect(kindsOf(messages)).not.toContain('stream_event');
  });
});

describe('the text stream of a query', () => {
  const stream = (event: WireObject, parent: string | null): WireObject => ({
    type: 'stream_event',
    event,
    parent_tool_use_id: parent,
  });
  const delta = (text: string, parent: string | null): WireObject =>
    stream({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }, parent);
  const whole = (id: string, text: string, more: WireObject = {}): WireObject => ({
    type: 'assistant',
    parent_tool_use_id: null,
    message: { id, model: 'm', role: 'assistant', content: [{ type: 'text', text }] },
    ...more,
  });

  it('leaves subagents out unless asked', async () => {
    await using fake = fakeOf([
      send(whole('s1', 'Sub.', { parent_tool_use_id: 't1' })),
      send(stream({ type: 'message_start', message: { id: 's2' } }, 't2')),
      send(delta('Other', 't2')),
      send(whole('s2', 'Other', { parent_tool_use_id: 't2' })),
      say('Main.'),
    ]);
    const q = query({ prompt: 'Go.', options: { transport: fake.transport } });
    const texts = await Promise.all([readAll(q.textStream()), readAll(q.textStream({ subagents: true }))]);
    expect(texts).toEqual([['Main.'], ['Sub.', 'Other', 'Main.']]);
  });

  it('has an answer that came whole among streamed ones, and no text the CLI wrote about a failure', async () => {
    await using fake = fakeOf([
      say(['a', 'b']),
      send(whole('w1', 'Whole.')),
      send(whole('e1', 'API Error: 500', { error: 'server_error' })),
    ]);
    const q = query({ prompt: 'Go.', options: { transport: fake.transport } });
    expect(await readAll(q.textStream())).toEqual(['a', 'b', 'Whole.']);
  });

  it('does not repeat a text of which it came too late for the beginning', async () => {
    await using fake = fakeOf([
      send(stream({ type: 'message_start', message: { id: 'm1' } }, null)),
      send(delta('One', null)),
      send({ type: 'system', subtype: 'status', status: 'compacting' }),
      send(delta(' two', null)),
      send(whole('m1', 'One two')),
    ]);
    const q = query({ prompt: 'Go.', options: { transport: fake.transport, includePartialMessages: true } });
    for await (const message of q) if (message.type === 'stream_event') break;
    expect(await readAll(q.textStream())).toEqual([]);
  });

  it('ends the query when its loop is left, and not while the messages are read', async () => {
    for (const isIterated of [false, true]) {
      await using fake = fakeOf([
        HELLO,
        useTool('Bash', { command: 'ls' }, { result: 'a.txt' }),
        say('Done.'),
      ]);
      let ended = 0;
      const q = query({ prompt: 'Go.', options: { transport: fake.transport, onEnd: () => (ended += 1) } });
      const messages = isIterated ? readAll(q) : undefined;
      for await (const text of q.textStream()) {
        expect(text).toBe('He');
        break;
      }
      if (!messages) expect(ended).toBe(1);
      else expect(kindsOf(await messages).at(-1)).toBe('result');
      await q.close();
    }
  });

  it('throws what the iteration throws', async () => {
    const abortController = new AbortController();
    await using fake = fakeOf([HELLO, say('Never.')]);
    const q = query({ prompt: 'Go.', options: { transport: fake.transport, abortController } });
    const texts: string[] = [];
    const reading = (async () => {
      for await (const text of q.textStream()) {
        texts.push(text);
        abortController.abort();
      }
    })();
    await expect(reading).rejects.toBeInstanceOf(AbortError);
    await expect(readAll(q)).rejects.toBeInstanceOf(AbortError);
    expect(texts[0]).toBe('He');
    await expect(readAll(q.textStream())).rejects.toBeInstanceOf(AbortError);
  });
});

describe.each(VERSIONS)('the text stream of a session, CLI %s', (version) => {
  it('is there for each turn and for all of them, with the messages as without it', async () => {
    await using fake = fakeOf([HELLO, expectPrompt(), say(['How', ' are you?'])], { version });
    await using session = openSession({ options: { transport: fake.transport } });
    const all = readAll(session.textStream());
    const messages = readAll(session.messages());
    const first = session.send('One.');
    const [pieces, seen] = await Promise.all([readAll(first.textStream()), readAll(first)]);
    expect(pieces).toEqual(['He', 'l', 'lo']);
    expect(kindsOf(seen)).not.toContain('stream_event');
    expect(await readAll(session.send('Two.').textStream())).toEqual(['How', ' are you?']);
    await session.close();
    expect(await all).toEqual(['He', 'l', 'lo', 'How', ' are you?']);
    expect(kindsOf(await messages)).not.toContain('stream_event');
  });

  it('gives whole texts where the CLI was started before, and partial messages only where asked for', async () => {
    await using fake = fakeOf([HELLO], { version });
    await using session = openSession({ options: { transport: fake.transport } });
    await session.ready();
    expect(await readAll(session.send('One.').textStream())).toEqual(['Hello']);
    await using other = fakeOf([HELLO], { version });
    await using streamed = openSession({
      options: { transport: other.transport, includePartialMessages: true },
    });
    const turn = streamed.send('One.');
    const [pieces, seen] = await Promise.all([readAll(turn.textStream()), readAll(turn)]);
    expect(pieces).toEqual(['He', 'l', 'lo']);
    expect(kindsOf(seen)).toContain('stream_event');
  });

  it('leaves the turn and its session alone when a loop is left', async () => {
    await using fake = fakeOf([HELLO], { version });
    await using session = openSession({ options: { transport: fake.transport } });
    const turn = session.send('One.');
    for await (const text of turn.textStream()) if (text === 'He') break;
    expect(await turn.text()).toBe('Hello');
  });
});

describe.each(VERSIONS)('what a turn cost, CLI %s', (version) => {
  it('stands beside the total in every outcome', async () => {
    await using fake = fakeOf([HELLO, expectPrompt(), HELLO], { version });
    await using session = openSession({ options: { transport: fake.transport } });
    const first = await session.send('One.').outcome();
    const second = await session.send('Two.').outcome();
    expect(first.turnCostUsd).toBeGreaterThan(0);
    expect(first.turnCostUsd).toBeCloseTo(first.totalCostUsd);
    expect(second.turnCostUsd).toBeCloseTo(first.turnCostUsd);
    expect(second.totalCostUsd).toBeCloseTo(2 * first.totalCostUsd);
    expect(second.turnUsage).toEqual(first.turnUsage);
  });

  it('is that of each turn of a run', async () => {
    await using fake = fakeOf([HELLO, expectPrompt(), HELLO], { version });
    const { all } = await run({ prompt: ['One.', 'Two.'], options: { transport: fake.transport } });
    expect(all.map(({ turnCostUsd }) => turnCostUsd)).toEqual([
      all[0]?.totalCostUsd,
      expect.closeTo((all[1]?.totalCostUsd ?? 0) - (all[0]?.totalCostUsd ?? 0)),
    ]);
  });
});
