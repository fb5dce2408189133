// Who answers: a real model if there is an account, otherwise a script, so that everything here runs without one.
import { startOffline, text, toolUse } from 'inboard/testing';

/** The variables that give the CLI an account. A login with `claude` sets none of them. */
const ACCOUNTS = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
];

export function hasAccount(env) {
  return ACCOUNTS.some((name) => env[name]);
}

/** The script: it looks, reserves, and repeats what the tools said. */
export function playModel({ answers }) {
  const [counted, reserved] = answers;
  if (!counted) return toolUse('mcp__shop__count', { article: 'apples' });
  if (!reserved) return toolUse('mcp__shop__reserve', { article: 'apples', count: 2, customer: 'Ada' });
  return text(`There were ${counted.text} apples. After the reservation: ${reserved.text}`);
}

/** A model on loopback that plays the script; the caller closes it. */
export function startScript() {
  return startOffline({ onExhausted: playModel });
}
