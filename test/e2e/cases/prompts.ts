// What the model is told besides the conversation: system prompts in every form, and values too large for a
// command line.
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { run, text, toolUse } from '../support/inboard.js';
import type { ModelRequest, SystemPrompt } from '../support/inboard.js';
import { onStage } from '../support/stage.js';

const stdioServer = fileURLToPath(new URL('../support/stdio-server.mjs', import.meta.url));

/** The system prompt after the two lines the CLI puts before every one: who pays, and who speaks. */
function promptOf(request: ModelRequest): string | undefined {
  const blocks = request.body.system ?? [];
  if (typeof blocks === 'string') throw new Error(`The system prompt is one text: ${blocks}`);
  expect(blocks.length).toBeGreaterThanOrEqual(2);
  expect(blocks.length).toBeLessThanOrEqual(3);
  return blocks[2] === undefined ? undefined : String(blocks[2]['text']);
}

async function tell(cli: Cli, systemPrompt: SystemPrompt | undefined): Promise<string | undefined> {
  let told: string | undefined;
  await onStage(cli, { script: [text('Fine.')] }, async (stage) => {
    await run({ prompt: 'Hi', options: stage.options({ systemPrompt }) });
    told = promptOf(stage.lastRequest());
  });
  return told;
}

async function tellNothing(cli: Cli): Promise<void> {
  expect(await tell(cli, undefined)).toBeUndefined();
}

async function tellAText(cli: Cli): Promise<void> {
  expect(await tell(cli, 'You are a lighthouse.')).toBe('You are a lighthouse.');
}

async function tellAList(cli: Cli): Promise<void> {
  const told = await tell(cli, ['You are a lighthouse.', 'It is night.']);
  expect(told).toBe('You are a lighthouse.\n\nIt is night.');
}

async function tellThePreset(cli: Cli): Promise<void> {
  const append = 'Mind the rocks.';
  const told = await tell(cli, { type: 'preset', preset: 'claude_code', append });
  expect(told?.endsWith(append)).toBe(true);
  expect(told?.length).toBeGreaterThan(4000);
}

async function tellALot(cli: Cli): Promise<void> {
  const much = 'much '.repeat(60_000);
  const systemPrompt = `${much.repeat(4)}That is all.`;
  const agents = { large: { description: 'Knows much', prompt: `${much}I am the large agent.` } };
  const variables = Object.fromEntries(
    ['A', 'B', 'C', 'D'].map((name) => [`MUCH_${name}`, 'm'.repeat(60_000)]),
  );
  const mcpServers = { outside: { command: process.execPath, args: [stdioServer], env: variables } };
  const script = [
    toolUse('mcp__outside__describe', { variable: 'MUCH_D' }),
    toolUse('Task', {
      subagent_type: 'large',
      description: 'Ask',
      prompt: 'Well?',
      run_in_background: false,
    }),
    text('Done.'),
  ];
  const isAgent = (request: ModelRequest): boolean => request.systemText.includes('I am the large agent.');
  const conversations = [{ when: isAgent, script: [text('I know it.')] }];
  await onStage(cli, { script, conversations }, async (stage) => {
    const options = { systemPrompt, agents, mcpServers, allowedTools: ['mcp__outside', 'Task'] };
    const outcome = await run({ prompt: 'Hi', options: stage.options(options) });
    expect(outcome.text).toBe('Done.');
    const [first, second, ofAgent, last] = stage.model.conversation;
    expect(first && promptOf(first)).toBe(systemPrompt);
    expect(second?.toolResults[0]?.text).toContain('"length":60000');
    expect(ofAgent?.systemText).toContain(agents.large.prompt);
    expect(last?.toolResults[0]?.text).toContain('I know it.');
  });
}

export const promptCases: CaseSet = {
  'sends no system prompt unless there is one': tellNothing,
  'sends a system prompt that is a text': tellAText,
  'sends a system prompt that is a list': tellAList,
  'sends the stock system prompt with an addition': tellThePreset,
  'sends a system prompt, agents and servers of any size': tellALot,
};
