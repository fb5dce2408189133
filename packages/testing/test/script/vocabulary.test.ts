// One vocabulary for scripts: what the fake CLI and the scripted model both play, and what only one of them does.
import { describe, expect, it, vi } from 'vitest';
import { deny, openSession, query, run } from '@inboard/inboard/index.js';
import {
  apiError,
  block,
  createFakeCli,
  crash,
  cut,
  endTurn,
  expectPrompt,
  gate,
  held,
  inChunks,
  reply,
  startScriptedModel,
  structuredOutput,
  text,
  thinking,
  toolUse,
  type FakeContext,
  type FakeScript,
  type ScriptContext,
  type Step,
} from '@inboard/inboard/testing.js';
import { say } from '@inboard/testing/fake-cli/script/build-steps.js';
import * as byHand from '../../src/fake-cli/script/build-by-hand.js';
import * as faults from '../../src/fake-cli/script/build-faults.js';
import * as steps from '../../src/fake-cli/script/build-steps.js';
import * as replies from '../../src/script/reply.js';
import { readProjectFile } from '../../../../test/package/project.js';
import { kindsOf, openShop, playScript, resultsOf, stageFake } from '../fake-cli/fake-stages.js';

describe('replies on the fake CLI', () => {
  it('end the turn where the model calls no tool, as the real CLI does', async () => {
    const fake = stageFake([
      reply(thinking('Hm.'), toolUse('mcp__shop__count', { article: 'apples' })),
      ({ answer, prompt }: ScriptContext) => text(`${prompt} ${answer.text}, ${answer.name}`),
      text('The second.'),
    ]);
    await using session = openSession({
      options: { transport: fake.transport, ...openShop() },
    });
    expect(await session.send('How many?').text()).toBe('How many? 7 apples, mcp__shop__count');
    expect(await session.send('And now?').text()).toBe('The second.');
    await session.close();
    fake.verify();
  });

  it('call functions with the prompt they reply to', async () => {
    const fake = stageFake([({ prompt }) => text(`1 ${prompt}`), ({ prompt }) => text(`2 ${prompt}`)]);
    await using session = openSession({ options: { transport: fake.transport } });
    expect(await session.send('one').text()).toBe('1 one');
    expect(await session.send('two').text()).toBe('2 two');
    await session.close();
    fake.verify();
  });

  it('leave the end of the turn to a step that shapes it', async () => {
    const { fake, messages } = await playScript('memory', [text('Half.'), endTurn('error_max_turns')]);
    expect(kindsOf(messages).at(-1)).toBe('result/error_max_turns');
    fake.verify();
  });

  it('carry the reason to stop, and errors of the API', async () => {
    const refused = await playScript('memory', [reply(text('No.'), { stopReason: 'refusal' })]);
    expect(resultsOf(refused.messages)).toMatchObject([{ stop_reason: 'refusal', result: 'No.' }]);
    const failed = await playScript('memory', [apiError(529, { message: 'Too busy' })]);
    expect(resultsOf(failed.messages)).toMatchObject([{ is_error: true, api_error_status: 529 }]);
    expect(resultsOf(failed.messages)[0]).toMatchObject({ result: expect.stringContaining('Too busy') });
    failed.fake.verify();
  });

  it('give structured output', async () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const fake = stageFake([structuredOutput({ city: 'Lund' }), text('Next.')]);
    await using session = openSession({ options: { transport: fake.transport, output: schema } });
    expect(await session.send('Which?').output()).toEqual({ city: 'Lund' });
    expect(await session.send('And?').text()).toBe('Next.');
    await session.close();
    fake.verify();
    const { messages } = await playScript('memory', [
      toolUse('StructuredOutput', { city: 'Lund' }),
      text('Done.'),
    ]);
    expect(JSON.stringify(messages)).toContain('No such tool available: StructuredOutput');
  });

  it('give structured output again when a hook refuses it, as the model does on the real CLI', async () => {
    const read: string[] = [];
    const fake = stageFake([
      structuredOutput({ city: 'Lund' }),
      ({ answer }: ScriptContext) => {
        read.push(answer.text);
        return structuredOutput({ city: 'Malmö' });
      },
      text('Next.'),
    ]);
    await using session = openSession({
      options: {
        transport: fake.transport,
        output: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        hooks: {
          PreToolUse: [
            {
              matcher: 'StructuredOutput',
              hooks: [
                ({ tool_input: input }) =>
                  Promise.resolve(JSON.stringify(input).includes('Lund') ? deny('not that one') : {}),
              ],
            },
          ],
        },
      },
    });
    expect(await session.send('Which?').output()).toEqual({ city: 'Malmö' });
    expect(read).toEqual([expect.stringContaining('not that one')]);
    expect(await session.send('And?').text()).toBe('Next.');
    await session.close();
    fake.verify();
  });

  it('wait at a gate', async () => {
    const door = gate<FakeContext>();
    const fake = stageFake([held(text('Late.'), door)]);
    const outcome = run({ prompt: 'Go.', options: { transport: fake.transport } });
    expect((await door.reached).prompt).toBe('Go.');
    door.open();
    expect((await outcome).text).toBe('Late.');
  });

  it('go to the next prompt when their turn is interrupted', async () => {
    const door = gate<FakeContext>();
    const fake = stageFake([held(text('Never.'), door), text('After.')]);
    await using session = openSession({ options: { transport: fake.transport } });
    const first = session.send('One.');
    await door.reached;
    await session.interrupt();
    expect(await first.outcome()).toMatchObject({ ok: false });
    expect(await session.send('Two.').text()).toBe('After.');
    await session.close();
    fake.verify();
  });

  it('are cut into chunks like everything else', async () => {
    const { messages, fake } = await playScript('memory', [inChunks(1, text('Ünïcödé'))]);
    expect(resultsOf(messages)).toMatchObject([{ result: 'Ünïcödé' }]);
    fake.verify();
  });
});

const WRONG_IN_BOTH: [string, unknown, RegExp][] = [
  ['nothing', undefined, /script\[1\] is not a/],
  ['a text', 'Hello', /script\[1\] is not a/],
  ['an empty object', {}, /script\[1\] is not a reply/],
  ['a text of a number', text(5 as never), /script\[1\] has a text\(\) with 5/],
  ['a tool without a name', toolUse(undefined as never), /script\[1\] has a toolUse\(\) without a name/],
  [
    'a tool with a text as input',
    toolUse('Bash', 'ls' as never),
    /script\[1\] has a toolUse\('Bash'\) whose input is "ls"/,
  ],
  ['an unknown block', { blocks: [{ type: 'txt' }] }, /script\[1\] has a block of the unknown type "txt"/],
];

const ONLY_IN_THE_FAKE: [string, unknown, RegExp][] = [
  [
    'a step of the CLI',
    expectPrompt('x'),
    /script\[1\] is a step "expectPrompt", which only the fake CLI plays/,
  ],
  ['a fault of the CLI', crash(), /"crash", which only the fake CLI plays/],
  ['a result', toolUse('Bash', {}, { result: 'x' }), /gives toolUse\('Bash'\) the option "result"/],
];

const ONLY_IN_THE_MODEL: [string, unknown, RegExp][] = [
  ['a cut', cut(text('x'), { afterEvents: 1 }), /script\[1\] has "cut", which only the scripted model knows/],
  [
    'a raw block',
    block({ type: 'redacted_thinking' }),
    /has a block\(\), which only the scripted model sends/,
  ],
  ['a broken input', toolUse('Bash', {}, { inputJson: '{' }), /the option "inputJson"/],
  ['an HTTP answer', { status: 200, body: {} }, /is an HTTP answer \(status 200\)/],
  ['token counts', reply(text('x'), { usage: { input_tokens: 1 } }), /has "usage"/],
];

describe('a wrong step', () => {
  const first = text('First.');

  it.each([...WRONG_IN_BOTH, ...ONLY_IN_THE_FAKE])(
    'is refused by the model: %s',
    async (_, step, problem) => {
      await expect(startScriptedModel([first, step as Step])).rejects.toThrow(problem);
    },
  );

  it.each([...WRONG_IN_BOTH, ...ONLY_IN_THE_MODEL])('is refused by the fake: %s', (_, step, problem) => {
    expect(() => createFakeCli([first, step] as FakeScript)).toThrow(problem);
  });

  it('is refused when a function returns it', async () => {
    const { fake } = await playScript('memory', [(() => ({ do: 'tell' })) as never]);
    expect(() => fake.verify()).toThrow(
      'what a function of the script returned is a step of the unknown kind "tell"',
    );
  });

  it.each([undefined, text('alone'), 'text'])('is refused in place of a script: %j', (script) => {
    expect(() => createFakeCli(script as never)).toThrow('script is not a list of steps');
  });
});

describe('a call of the script', () => {
  it('to a server that is not there fails the test, and names those that are', async () => {
    const { fake } = await playScript('memory', [toolUse('mcp__shpo__count'), text('Done.')], {
      options: openShop(),
    });
    expect(() => fake.verify()).toThrow(
      "toolUse('mcp__shpo__count') calls a server that the host does not have; it has shop",
    );
  });

  it('to a built-in tool needs a result', async () => {
    const { fake } = await playScript('memory', [toolUse('Bash', { command: 'ls' }), text('Done.')]);
    expect(() => fake.verify()).toThrow(
      "toolUse('Bash') needs a result: the fake CLI runs no built-in tools",
    );
  });

  it('to a tool that a server lacks is a mistake of the model, as in the real CLI', async () => {
    const { fake, messages } = await playScript('memory', [toolUse('mcp__shop__sell'), text('Done.')], {
      options: openShop(),
    });
    expect(JSON.stringify(messages)).toContain('No such tool available: mcp__shop__sell');
    fake.verify();
  });
});

describe('a failing test under `await using`', () => {
  const failure = new Error('the test’s own');

  it('shows its own error, and the rest of the script as a warning', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const failInTheMiddle = async (): Promise<void> => {
      await using fake = createFakeCli([text('One.'), text('Two.')]);
      for await (const message of query({ prompt: 'Go.', options: { transport: fake.transport } })) {
        if (message.type === 'assistant') throw failure;
      }
    };
    await expect(failInTheMiddle()).rejects.toBe(failure);
    const failBeforeTheStart = async (): Promise<void> => {
      await using _ = createFakeCli([text('One.')]);
      throw failure;
    };
    await expect(failBeforeTheStart()).rejects.toBe(failure);
    const failOnTheModel = async (): Promise<void> => {
      await using _ = await startScriptedModel([text('One.')]);
      throw failure;
    };
    await expect(failOnTheModel()).rejects.toBe(failure);
    expect(warned.mock.calls.map(([message]) => String(message))).toEqual([
      expect.stringContaining('not played: text("Two.")'),
      expect.stringContaining('it was never started'),
      expect.stringContaining('1 of 1 steps of script were never used'),
    ]);
    warned.mockRestore();
  });

  it('still fails for steps left over where the program ended by itself', async () => {
    const leave = async (): Promise<void> => {
      await using fake = createFakeCli([text('One.'), text('Two.')]);
      await run({ prompt: 'Go.', options: { transport: fake.transport } });
    };
    await expect(leave()).rejects.toThrow('steps of the script were not played: text("Two.")');
  });
});

it('keeps the old names, which go on in the same turn', async () => {
  const { messages, fake } = await playScript('memory', [say('One.'), say('Two.')]);
  expect(kindsOf(messages)).toEqual(['system/init', 'assistant', 'assistant', 'result/success']);
  fake.verify();
});

it('has every step on the page about testing', () => {
  const page = readProjectFile('docs/testing.md');
  const helpers = ['statusOfErrorType'];
  const oldNames = ['say', 'think', 'useTool', 'useTools'];
  const names = [replies, steps, faults, byHand].flatMap((builders) => Object.keys(builders));
  const missing = names.filter((name) => !new RegExp(`\`${name}[\`(]|\\b${name}\\(`).test(page));
  expect(missing.filter((name) => !helpers.includes(name))).toEqual(oldNames);
});
