// A query on the small CLI of peer.mjs, which lies in ./bare, where nothing tells its version, and in
// ./node_modules/@anthropic-ai/claude-code, where a manifest does.
import { fileURLToPath } from 'node:url';

const PLACES = { bare: './bare/claude.mjs', package: './node_modules/@anthropic-ai/claude-code/cli.mjs' };

/** The options for a query that plays `play` (peer.mjs says what there is). */
export function chooseCli(play, place = 'package') {
  return {
    pathToClaudeCodeExecutable: fileURLToPath(new URL(PLACES[place], import.meta.url)),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, GUARD_PLAY: JSON.stringify(play) },
  };
}

/** Reads a query to its end; throws unless it ended well. */
export async function readAll(query, onMessage = () => {}) {
  let last;
  for await (const message of query) {
    onMessage(message);
    if (message.type === 'result') last = message;
  }
  if (last?.subtype !== 'success') throw new Error(`No success: ${JSON.stringify(last)}`);
}

/** What this process measured, for its parent process. */
export function report(values) {
  process.stdout.write(`${JSON.stringify(values)}\n`);
}
