// Who answers: a real model if there is an account, otherwise a script, so that everything here runs without one.
import { startOffline, text, toolUse, type Offline, type ScriptContext } from 'inboard/testing';

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

/** The script: it keeps a note, lists all, and repeats what the tools said. */
export function playModel({ answers }: ScriptContext) {
  const [added, listed] = answers;
  if (!added) return toolUse('mcp__notes__add_note', { text: 'Water the plants.' });
  if (!listed) return toolUse('mcp__notes__list_notes', {});
  return text(`Kept: ${added.text}. All notes: ${listed.text}`);
}

/** A model on loopback that plays the script; the caller closes it. */
export function startScript(): Promise<Offline> {
  return startOffline({ onExhausted: playModel });
}
