// The faults of a fake CLI, in memory and as a program: what a query makes of each.
import { describe, expect, it } from 'vitest';
import {
  closeInput,
  closeOutput,
  crash,
  endTurn,
  expectControl,
  expectPrompt,
  garbage,
  holdAnswers,
  hugeLine,
  ignore,
  inChunks,
  raw,
  readOn,
  releaseAnswers,
  repeat,
  stall,
  stderr,
  stopReading,
  type FakeScript,
} from '@inboard/inboard/testing.js';
import { say, useTool } from '@inboard/testing/fake-cli/script/build-steps.js';
import { openShop, playScript, pointTo, resultsOf, stageFake, STAGES } from './fake-stages.js';
import { query } from '@inboard/inboard/index.js';

const MEGABYTE = 1024 * 1024;

describe.each(STAGES)('with a fake CLI (%s)', (kind) => {
  it.each<[string, FakeScript, object]>([
    ['an exit', [crash()], { code: 'PROCESS_EXITED', exitCode: 1 }],
    [
      'an exit with a code and a last word',
      [say('half'), crash({ code: 7, stderr: 'Segmentation what?\n' })],
      { code: 'PROCESS_EXITED', exitCode: 7, stderrTail: expect.stringContaining('Segmentation what?') },
    ],
    [
      'a signal',
      [expectPrompt(), crash({ signal: 'SIGKILL' })],
      { code: 'PROCESS_KILLED', signal: 'SIGKILL' },
    ],
    ['a tidy exit without a result', [say('half'), crash({ code: 0 })], { code: 'NO_RESULT' }],
  ])('a query learns of %s', async (_what, script, expected) => {
    const { fake, error } = await playScript(kind, script);
    expect(error).toMatchObject(expected);
    fake.verify();
  });

  it('a query survives garbage, half lines and lines in pieces', async () => {
    const script = [
      garbage(),
      garbage('npm warn something'),
      raw('{"type":"system","sub'),
      raw('type":"whole","n":1}\n'),
      inChunks(1, say('ä€\u{1f600}')),
      inChunks(7, useTool('mcp__shop__count', { article: 'ä€\u{1f600}' })),
      ({ answer }: { answer: { text: string } }) => say(answer.text),
    ];
    const { fake, messages, error } = await playScript(kind, script, { options: openShop() });
    expect(error).toBeUndefined();
    expect(messages).toContainEqual(expect.objectContaining({ subtype: 'whole', n: 1 }));
    expect(resultsOf(messages)).toMatchObject([{ result: '7 ä€\u{1f600}' }]);
    fake.verify();
  });

  it('a query takes a line of megabytes', async () => {
    const { messages } = await playScript(kind, [hugeLine(3 * MEGABYTE), endTurn({ text: 'long' })]);
    const lengths = messages.flatMap((message) =>
      message.type === 'assistant'
        ? message.message.content.map((block) => (block.type === 'text' ? block.text.length : 0))
        : [],
    );
    expect(lengths).toEqual([3 * MEGABYTE]);
  });

  it('a query takes late, doubled and swapped answers for what they are', async () => {
    const script = [
      expectPrompt(),
      holdAnswers(),
      expectControl('mcp_status'),
      expectControl('set_permission_mode'),
      releaseAnswers('reversed'),
      repeat('response'),
      repeat(),
      say('Done.'),
      repeat('message'),
    ];
    const { fake, messages, error } = await playScript(kind, script, {
      act: async (q) => {
        const both = await Promise.all([q.mcpServerStatus(), q.setPermissionMode('plan')]);
        expect(both).toEqual([[], undefined]);
      },
    });
    expect(error).toBeUndefined();
    expect(messages.filter(({ type }) => type === 'assistant')).toHaveLength(2);
    fake.verify();
  });

  it('a query is not stopped by one that reads no more, and then does', async () => {
    const script = [expectPrompt(), stopReading(), stderr('wait\n'), readOn(), say('Done.')];
    const { fake, messages } = await playScript(kind, script);
    expect(resultsOf(messages)).toMatchObject([{ result: 'Done.' }]);
    fake.verify();
  });

  it('a query ends one that closed its input, and one that ignores every request to end', async () => {
    const stubborn = [ignore('SIGTERM'), ignore('end of input'), say('Never again.'), stall()];
    for (const script of [[say('half'), closeInput(), stall()], stubborn]) {
      const fake = stageFake(script, { allowEarlyEnd: true });
      const options = await pointTo(kind, fake);
      const q = query({
        prompt: 'Go.',
        options: { ...options, closeGraceMs: 20, killGraceMs: 20, onWarning: () => {} },
      });
      for await (const message of q) if (message.type === 'assistant') break;
      await q.close();
      // The program is gone when its socket is; that may be a moment after the query knows of its exit.
      await expect.poll(() => fake.sessions[0]?.isOver, { timeout: 15_000 }).toBe(true);
      fake.verify();
    }
  });
});

describe('with a fake CLI in memory', () => {
  it('a query reports that the output was closed', async () => {
    const { error } = await playScript('memory', [say('half'), closeOutput(), stall()], {
      fake: { allowEarlyEnd: true },
    });
    expect(error).toMatchObject({ code: 'PROCESS_KILLED', signal: 'SIGTERM' });
  });
});
