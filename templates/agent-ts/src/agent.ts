// The agent: which tools it has, what it may do with them, and where it stops.
import { allow, deny, run, type CanUseTool, type QueryOptions, type RunOutcome } from 'inboard';
import { createShop } from './tools.ts';
import type { Stock } from './stock.ts';

/** The most that the agent may reserve at once. */
const MOST = 5;

// Called before each call that `allowedTools` does not list. If this throws, the answer is no.
const canUseTool: CanUseTool = async (name, input) => {
  if (name !== 'mcp__shop__reserve') return deny('Only the tools of the shop may be used.');
  if (Number(input.count) > MOST) return deny(`More than ${MOST} need a person's approval.`);
  return allow();
};

/** Runs the agent to its end. If it ends without an answer, throws a RunError whose code says how it ended. */
export function runAgent(prompt: string, stock: Stock, options: QueryOptions = {}): Promise<RunOutcome> {
  return run({
    prompt,
    options: {
      mcpServers: { shop: createShop(stock) },
      allowedTools: ['mcp__shop__count'], // runs without asking
      canUseTool,
      hookFailure: 'refuse', // a hook that fails is a no
      tools: [], // none of the CLI's own: no shell, no files
      settingSources: [], // no settings, hooks or CLAUDE.md of this machine
      systemPrompt: 'You keep the stock of a shop. Use the tools, and answer in one sentence.',
      maxTurns: 10,
      ...options,
    },
  });
}
