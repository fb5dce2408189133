// What the consumer gets: everything but the plumbing, in order, whenever it asks.
import { readdirSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createDeferred } from '../../src/util/deferred.js';
import { kindsOf, runToEnd, useScenes } from '../../../../test/support/scene.js';
import { STAGES } from '../../../../test/support/scripted-cli.js';
import {
  answered,
  ask,
  assistant,
  emit,
  expectLine,
  handshake,
  hookCallback,
  init,
  mark,
  result,
  state,
  turn,
  type Step,
} from '../../../../test/support/steps.js';

const numbered = (count: number, size = 0): object[] =>
  Array.from({ length: count }, (_, index) => ({ type: 'counted', index, filler: 'x'.repeat(size) }));
const indexesOf = (messages: readonly unknown[]): unknown[] =>
  messages.flatMap((message) => (message as { index?: number }).index ?? []);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const saying = (...middle: Step[]): Step[] => [
  ...handshake(),
  expectLine('user'),
  emit(state('running'), init()),
  ...middle,
  emit(result(), state('idle')),
];

/** Files for messages that wait: on Linux they have no name, and are seen as open files only. */
function listSpillFiles(): string[] {
  if (process.platform !== 'linux') return readdirSync(tmpdir());
  const targets = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return targets.filter((target) => target.includes('inboard-spill-'));
}

// Test files share a worker: what an unread turn of an earlier one keeps is open until it is collected.
let earlier = new Set<string>();
beforeEach(() => {
  earlier = new Set(listSpillFiles());
});

/** How many this test has in use. */
function countSpillFiles(): number {
  return listSpillFiles().filter((file) => !earlier.has(file)).length;
}

describe.each(STAGES)('messages (%s)', (kind) => {
  const play = useScenes();

  it('come in the order in which they were sent', async () => {
    const { q } = play({ kind, steps: saying(emit(...numbered(2000))) });
    const { messages, error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(indexesOf(messages)).toEqual(upTo(2000));
  });

  it('wait for a consumer that comes late, and are all there', async () => {
    const { q, cli } = play({ kind, steps: saying(emit(...numbered(100)), mark('said')) });
    await cli.marked('said');
    const { messages, error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(indexesOf(messages)).toEqual(upTo(100));
    expect(messages.at(-1)).toMatchObject({ type: 'result' });
  });

  it('can be asked for several at a time', async () => {
    const { q } = play({ kind, steps: saying(emit(...numbered(3))) });
    const steps = await Promise.all(Array.from({ length: 7 }, () => q.next()));
    expect(steps.map(({ done }) => done)).toEqual([false, false, false, false, false, true, true]);
    expect(indexesOf(steps.map(({ value }) => value ?? {}))).toEqual([0, 1, 2]);
  });

  it('rest on disk when they become too many, keep their order, and leave no file', async () => {
    const { q, cli } = play({
      kind,
      steps: saying(emit(...numbered(400, 2000)), ask('h', hookCallback()), answered('h'), mark('said')),
      options: {
        maxBufferedBytes: 10_000,
        hooks: { PreToolUse: [{ hooks: [() => Promise.resolve({})] }] },
      },
    });
    await cli.marked('said');
    if (process.platform === 'linux') expect(countSpillFiles()).toBe(1);
    const { messages, error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(indexesOf(messages)).toEqual(upTo(400));
    expect(countSpillFiles()).toBe(0);
  });

  it('that rest on disk are dropped when the consumer leaves', async () => {
    const { q, cli } = play({
      kind,
      steps: saying(emit(...numbered(400, 2000)), ask('h', hookCallback()), answered('h'), mark('said')),
      options: { maxBufferedBytes: 10_000 },
    });
    await cli.marked('said');
    await q.next();
    if (process.platform === 'linux') expect(countSpillFiles()).toBe(1);
    await q.return();
    expect(countSpillFiles()).toBe(0);
  });

  it('of unknown kinds pass untouched', async () => {
    const strange = [
      { type: 'from_the_future', deep: { a: [1, null] } },
      { type: 'system', subtype: 'also_new' },
      { no: 'type' },
      { type: 'assistant', sdk_host_only: true },
      { type: 'system', subtype: 'session_state_changed', state: 'running' },
      { type: 'system', subtype: 'control_request_progress', request_id: 'x', status: 'started' },
    ];
    const { q } = play({ kind, steps: saying(emit(...strange)) });
    const { messages } = await runToEnd(q);
    expect(messages.slice(1, -1)).toEqual(strange);
  });

  it('that are only for the host are kept back', async () => {
    const { q } = play({
      kind,
      steps: saying(
        emit(
          { type: 'keep_alive' },
          { type: 'keep_alive', startup_mark: { a: 1 } },
          { type: 'transcript_mirror', filePath: '/x', entries: [] },
          state('requires_action'),
          state('running'),
          { type: 'control_cancel_request', request_id: 'nobody' },
        ),
      ),
    });
    const { messages, error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(kindsOf(messages)).toEqual(['system/init', 'result']);
  });
});

describe.each(STAGES)('bytes (%s)', (kind) => {
  const play = useScenes();

  it('that cannot be read as messages are left out and reported', async () => {
    const lines = ['noise', '{"half":', 'null', '5', '[]', '{"type":"control_response"}', '{}{}'];
    const { q, warnings } = play({
      kind,
      steps: saying({ do: 'raw', text: `${lines.join('\n')}\n` }, emit(assistant('still here'))),
    });
    const { messages, error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(kindsOf(messages)).toEqual(['system/init', 'assistant', 'result']);
    expect(warnings).toHaveLength(lines.length);
    expect(new Set(warnings.map(({ code }) => code))).toEqual(new Set(['MALFORMED_LINE', 'MALFORMED_FRAME']));
  });

  it('that are NUL around a whole line do not lose it', async () => {
    const glued = `\0\0${JSON.stringify(assistant('glued'))}\0\r\n\0\n`;
    const { q, warnings } = play({ kind, steps: saying({ do: 'raw', text: glued }) });
    const { messages, error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(messages[1]).toEqual(assistant('glued'));
    expect(kindsOf(messages)).toEqual(['system/init', 'assistant', 'result']);
    expect(warnings.map(({ code }) => code)).toEqual(['PADDED_LINE', 'MALFORMED_LINE']);
  });

  it('in odd line endings, blank lines and a byte order mark do no harm', async () => {
    const text = `\r\n  \n${JSON.stringify(assistant('crlf'))}\r\n\n\n`;
    const { q, warnings } = play({
      kind,
      steps: [{ do: 'raw', text: '\ufeff\n' }, ...saying({ do: 'raw', text })],
    });
    const { messages } = await runToEnd(q);
    expect(kindsOf(messages)).toEqual(['system/init', 'assistant', 'result']);
    expect(warnings).toEqual([]);
  });

  it('of one character may come apart', async () => {
    const message = assistant('ä “quoted” 😀 \u2028 end');
    const base64 = Buffer.from(`${JSON.stringify(message)}\n`).toString('base64');
    const { q } = play({ kind, steps: saying({ do: 'bytes', base64, chunk: 1 }) });
    const { messages } = await runToEnd(q);
    expect(messages[1]).toEqual(message);
  });

  it('of a last line without its end are still a message', async () => {
    const { q } = play({
      kind,
      steps: [
        ...handshake(),
        expectLine('user'),
        { do: 'raw', text: JSON.stringify(result()) },
        { do: 'exit', code: 0 },
      ],
    });
    const { messages, error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(messages).toEqual([result()]);
  });

  it('of a huge line are one message', async () => {
    const text = 'x'.repeat(8 * 1024 * 1024);
    const { q } = play({ kind, steps: saying(emit(assistant(text))) });
    const { messages } = await runToEnd(q);
    expect(JSON.stringify(messages[1])).toHaveLength(JSON.stringify(assistant(text)).length);
  });
});

describe.each(STAGES)('pieces of an answer (%s)', (kind) => {
  const play = useScenes();
  const uuidOf = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const piece = (index: number, text = `piece ${index} `): object => ({
    type: 'stream_event',
    event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    session_id: 's1',
    parent_tool_use_id: null,
    uuid: uuidOf(index),
  });
  const pieces = (count: number): object[] => upTo(count).map((index) => piece(index));
  const partial = { includePartialMessages: true };

  it.each([
    ['in memory', 100, 1_000_000],
    ['on disk', 1000, 10_000],
  ])('wait for a late consumer as they came, and calls are served meanwhile: %s', async (_, count, limit) => {
    const { q, cli } = play({
      kind,
      steps: saying(
        emit(...pieces(count)),
        ask('h', hookCallback()),
        answered('h'),
        emit(...pieces(3)),
        mark('said'),
      ),
      options: { ...partial, maxBufferedBytes: limit },
    });
    await cli.marked('said');
    const { messages, error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(messages.slice(1, -1)).toEqual([...pieces(count), ...pieces(3)]);
    expect(countSpillFiles()).toBe(0);
  });

  it.each([
    ['in memory', 1, 1_000_000],
    ['on disk', 400, 1],
  ])('that are malformed are left out and reported where they are read: %s', async (_, count, limit) => {
    const good = JSON.stringify(piece(1));
    const lines = [good, good.replace('piece', '\tpiece'), good.replace('piece', '"piece')];
    for (let more = 0; more < count; more += 1) lines.push(good);
    const { q, cli, warnings } = play({
      kind,
      steps: saying({ do: 'raw', text: `${lines.join('\n')}\n` }, mark('said')),
      options: { ...partial, maxBufferedBytes: limit },
    });
    await cli.marked('said');
    const { messages, error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(messages.slice(1, -1)).toEqual(Array.from({ length: 1 + count }, () => piece(1)));
    expect(warnings.map(({ code }) => code)).toEqual(['MALFORMED_LINE', 'MALFORMED_LINE']);
    expect(warnings[0]?.message).toContain('A line from the CLI was left out: it is not JSON');
  });

  it('are dropped when the consumer leaves', async () => {
    const { q } = play({ kind, steps: saying(emit(...pieces(100))), options: partial });
    await q.next();
    await q.return();
    expect(await q.next()).toEqual({ done: true, value: undefined });
  });

  it('reach a text stream that is opened in the middle, and their whole text does not', async () => {
    const opened = createDeferred<void>();
    const { q, cli } = play({
      kind,
      steps: saying(
        emit(...pieces(10)),
        mark('begun'),
        ask('h', hookCallback()),
        answered('h'),
        emit(piece(10), piece(11)),
        emit(assistant('the whole text')),
      ),
      options: {
        ...partial,
        hooks: {
          PreToolUse: [
            {
              hooks: [
                async () => {
                  await opened.promise;
                  return {};
                },
              ],
            },
          ],
        },
      },
    });
    await cli.marked('begun');
    while ((await q.next()).value?.type !== 'stream_event');
    const stream = q.textStream();
    opened.resolve();
    const reading = runToEnd(q);
    let text = '';
    for await (const part of stream) text += part;
    expect(text).toBe('piece 10 piece 11 ');
    const { messages } = await reading;
    expect(messages).toHaveLength(13);
  });
});

describe('a line over the limit', () => {
  const play = useScenes();

  it('is left out and reported, and the next one is read', async () => {
    const { q, warnings } = play({
      kind: 'process',
      steps: saying(emit(assistant('x'.repeat(100_000)), assistant('short'))),
      options: { maxLineBytes: 10_000 },
    });
    const { messages, error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(messages[1]).toEqual(assistant('short'));
    expect(warnings).toMatchObject([{ code: 'LINE_TOO_LONG' }]);
  });
});

describe('stderr', () => {
  const play = useScenes();

  it('that its reader cannot take harms nobody', async () => {
    const pieces: string[] = [];
    const { q, warnings } = play({
      kind: 'process',
      steps: [{ do: 'stderr', text: 'hello\n' }, ...handshake(), ...turn()],
      options: {
        stderr: (text) => {
          pieces.push(text);
          throw new Error('reader');
        },
      },
    });
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(pieces.join('')).toBe('hello\n');
    expect(warnings).toHaveLength(1);
  });
});

describe('a listener for warnings that throws', () => {
  const play = useScenes();

  it('harms nobody, and the process is told once', async () => {
    const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    onTestFinished(() => emitWarning.mockRestore());
    const { q } = play({
      kind: 'memory',
      steps: saying({ do: 'raw', text: 'noise\nmore noise\n' }),
      options: {
        onWarning: () => {
          throw new Error('listener');
        },
      },
    });
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(emitWarning.mock.calls).toEqual([
      [expect.stringContaining('"onWarning" failed'), { code: 'CALLBACK_FAILED' }],
    ]);
  });
});
