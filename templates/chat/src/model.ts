// Who answers: a real model if there is an account, otherwise a script, so that everything here runs without one.
import { reply, startOffline, text, toolUse, type ModelContext, type Offline } from 'inboard/testing';

/** The variables that give the CLI an account. A login with `claude` sets none of them. */
const ACCOUNTS = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
];

export function hasAccount(env: NodeJS.ProcessEnv): boolean {
  return ACCOUNTS.some((name) => env[name]);
}

/** The script: it looks an order up, asks to pay all of it back, and repeats what came of it. */
export function playModel({ prompt, toolResults }: ModelContext) {
  const result = toolResults.at(-1);
  if (!result) {
    const [order = '1001'] = /\d+/.exec(prompt) ?? [];
    return reply(text(['I look ', 'at the order.']), toolUse('mcp__shop__find_order', { order }));
  }
  if (result.isError || !result.text.startsWith('{')) return text(`The answer: ${result.text}`);
  const { order, cents } = JSON.parse(result.text) as { order: string; cents: number };
  return reply(text('I would like to pay it back.'), toolUse('mcp__shop__refund', { order, cents }));
}

/** A model on loopback that plays the script; the caller closes it. With a folder, conversations are kept there. */
export function startScript(folder?: string): Promise<Offline> {
  return startOffline({ onExhausted: playModel }, { folder });
}
