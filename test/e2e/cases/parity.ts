// The same scenarios on the real CLI, with a scripted model, and on the fake CLI, in memory and as a program:
// what goes over the wire must be the same sequence of events.
import { expect } from 'vitest';
import {
  callsOf,
  compareRuns,
  foldHandshakes,
  runOnFake,
  runOnReal,
  type ParityScenario,
  type WireEvent,
} from '../support/parity.js';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { openTalk } from '../support/talk.js';
import {
  apiError,
  createSdkMcpServer,
  deny,
  gate,
  held,
  reply,
  text,
  tool,
  toolUse,
  type HookCallback,
  type Options,
} from '../support/inboard.js';
import { endTurn, expectPrompt, stall, structuredOutput } from '../../../packages/inboard/src/testing.js';
import { say, useTool, useTools } from '../../../packages/testing/src/fake-cli/script/build-steps.js';

const COUNT = 'mcp__shop__count';
const APPLES = { article: 'apples' };
const BAD = { type: 'invalid_request_error', message: 'bad stuff' };

/** A server with one read-only tool; with `guests`, no call is answered before so many have come. */
function openShop(guests = 1): Options['mcpServers'] {
  const waiting: Array<() => void> = [];
  const count = tool(
    'count',
    'Counts',
    { article: 'string' },
    async ({ article }) => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === guests) for (const release of waiting) release();
      });
      return `7 ${article}`;
    },
    { annotations: { readOnlyHint: true } },
  );
  return { shop: createSdkMcpServer({ name: 'shop', alwaysLoad: true, tools: [count] }) };
}

const allowed = (guests?: number): Options => ({ mcpServers: openShop(guests), allowedTools: ['mcp__shop'] });
const silently: HookCallback = () => Promise.resolve({});
const callAndEnd = {
  model: { script: [toolUse(COUNT, APPLES), text('Done.')] },
  script: [useTool(COUNT, APPLES), say('Done.')],
};

const SCENARIOS: Readonly<Record<string, () => ParityScenario>> = {
  'a plain answer': () => ({ model: { script: [text('Hello.')] }, script: [say('Hello.')] }),
  'one tool call': () => ({ ...callAndEnd, options: () => allowed() }),
  'two tool calls at once': () => ({
    model: { script: [reply(toolUse(COUNT, APPLES), toolUse(COUNT, APPLES)), text('Done.')] },
    script: [
      useTools([
        { name: COUNT, input: APPLES },
        { name: COUNT, input: APPLES },
      ]),
      say('Done.'),
    ],
    options: () => allowed(2),
    hasCrossing: true,
  }),
  'a permission that is given': () => ({
    ...callAndEnd,
    options: () => ({
      mcpServers: openShop(),
      canUseTool: () => Promise.resolve({ behavior: 'allow' }),
    }),
  }),
  'a permission that is refused': () => ({
    ...callAndEnd,
    options: () => ({
      mcpServers: openShop(),
      canUseTool: () => Promise.resolve({ behavior: 'deny', message: 'No.' }),
    }),
  }),
  'hooks around a tool call': () => ({
    ...callAndEnd,
    options: () => ({
      ...allowed(),
      hooks: {
        UserPromptSubmit: [{ hooks: [silently] }],
        PreToolUse: [{ matcher: COUNT, hooks: [silently] }],
        PostToolUse: [{ hooks: [silently] }, { matcher: 'Bash', hooks: [silently] }],
        Stop: [{ hooks: [silently] }],
      },
    }),
  }),
  'a hook that refuses': () => ({
    ...callAndEnd,
    options: () => ({
      ...allowed(),
      hooks: {
        PreToolUse: [
          {
            hooks: [
              () =>
                Promise.resolve({
                  hookSpecificOutput: {
                    hookEventName: 'PreToolUse',
                    permissionDecision: 'deny',
                    permissionDecisionReason: 'no',
                  },
                }),
            ],
          },
        ],
      },
    }),
  }),
  'a hook that refuses an answer with an output schema': () => {
    const answers = [structuredOutput({ city: 'Lund' }), structuredOutput({ city: 'Malmö' })];
    return {
      model: { script: answers },
      script: answers,
      options: () => ({
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
          PostToolUse: [{ hooks: [silently] }],
        },
      }),
    };
  },
  'a tool nobody may use': () => ({ ...callAndEnd, options: () => ({ mcpServers: openShop() }) }),
  'an error of the API': () => ({
    model: { script: [apiError(400, BAD)], onExhausted: apiError(400, BAD) },
    script: [endTurn({ apiError: { status: 400, ...BAD } })],
  }),
  'too many turns': () => ({
    model: { script: [toolUse(COUNT, APPLES)] },
    script: [useTool(COUNT, APPLES), endTurn('error_max_turns')],
    options: () => ({ ...allowed(), maxTurns: 1 }),
  }),
  'partial messages': () => ({
    model: { script: [text(['one ', 'two'])] },
    script: [say(['one ', 'two'])],
    options: () => ({ includePartialMessages: true }),
  }),
  'a second message': () => {
    const talk = openTalk('First.');
    return {
      model: { script: [text('One.'), text('Two.')] },
      script: [say('One.'), endTurn(), say('Two.')],
      prompt: talk.prompt,
      act: async (_query, _kind, wire) => {
        await wire.waitFor('cli: "result"');
        // Where a state is told, the turn is over with it.
        if (wire.events.some((event) => event.includes('"running"'))) await wire.waitFor('"idle"');
        talk.say('Second.');
        talk.end();
      },
      // The answer to the question whether the CLI is done may come before or after the turn begins.
      isFreeInOrder: (event) => event.includes('"mcp_status"'),
    };
  },
  'servers that are exchanged': () => {
    const talk = openTalk('First.');
    return {
      model: { script: [text('One.'), toolUse(COUNT, APPLES), text('Two.')] },
      script: [say('One.'), endTurn(), useTool(COUNT, APPLES), say('Two.')],
      prompt: talk.prompt,
      options: () => ({ allowedTools: ['mcp__shop'] }),
      act: async (query, _kind, wire) => {
        await wire.waitFor('cli: "result"');
        await query.setMcpServers(openShop() ?? {});
        await wire.waitFor('answers "mcp_message" "tools/list"');
        talk.say('Second.');
        talk.end();
      },
      hasCrossing: true,
    };
  },
  'an interrupt while the model thinks': () => {
    const door = gate();
    let tellReached: () => void = () => {};
    const reached = new Promise<void>((resolve) => {
      tellReached = resolve;
    });
    return {
      model: { script: [held(text('never'), door)] },
      script: [expectPrompt(), () => tellReached(), stall()],
      act: async (query, kind) => {
        await (kind === 'real' ? door.reached : reached);
        await query.interrupt();
        door.open();
      },
      hasCrossing: true,
    };
  },
  'an interrupt while a tool runs': () => {
    let tellCalled: () => void = () => {};
    const called = new Promise<void>((resolve) => {
      tellCalled = resolve;
    });
    const wait = tool('wait', 'Waits', {}, async (_args, { signal }) => {
      tellCalled();
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      });
      return 'late';
    });
    return {
      model: { script: [toolUse('mcp__slow__wait', {})] },
      script: [useTool('mcp__slow__wait'), say('never')],
      options: () => ({
        mcpServers: { slow: createSdkMcpServer({ name: 'slow', alwaysLoad: true, tools: [wait] }) },
        allowedTools: ['mcp__slow'],
      }),
      act: async (query) => {
        await called;
        await query.interrupt();
      },
      hasCrossing: true,
    };
  },
  'an interrupt while a permission is asked': () => {
    let tellAsked: () => void = () => {};
    const asked = new Promise<void>((resolve) => {
      tellAsked = resolve;
    });
    return {
      model: { script: [toolUse(COUNT, APPLES)] },
      script: [useTool(COUNT, APPLES)],
      options: () => ({
        mcpServers: openShop(),
        canUseTool: () => {
          tellAsked();
          return new Promise(() => {});
        },
      }),
      act: async (query) => {
        await asked;
        await query.interrupt();
      },
      hasCrossing: true,
    };
  },
};

async function compare(create: () => ParityScenario, cli: Cli): Promise<void> {
  const real = await runOnReal(create(), cli);
  const memory = await runOnFake(create(), { cli, kind: 'memory' });
  const program = await runOnFake(create(), { cli, kind: 'executable' });
  const { hasCrossing = false, isFreeInOrder = () => false } = create();
  const view = (all: readonly WireEvent[]): unknown => {
    const events = all.filter((event) => !isFreeInOrder(event));
    const seen = compareRuns(cli.isOld ? foldHandshakes(events) : events, hasCrossing);
    return { seen, free: all.filter(isFreeInOrder).toSorted() };
  };
  expect(callsOf(real).length).toBeGreaterThan(3);
  expect(view(memory)).toEqual(view(real));
  expect(view(program)).toEqual(view(real));
}

// 2.1.33 asks the model once more after an answer, and what the scripted model says to that the fake leaves out.
const NEW_ONLY = new Set(['a hook that refuses an answer with an output schema']);

function createCases(isWanted: (name: string) => boolean): CaseSet {
  return Object.fromEntries(
    Object.entries(SCENARIOS)
      .filter(([name]) => isWanted(name))
      .map(([name, create]) => [
        `the fake plays ${name} like the real CLI`,
        (cli: Cli) => compare(create, cli),
      ]),
  );
}

/** One case for every scenario that both versions play alike. */
export const parityCases = createCases((name) => !NEW_ONLY.has(name));

/** Those that only the newest one plays. */
export const newestParityCases = createCases((name) => NEW_ONLY.has(name));
