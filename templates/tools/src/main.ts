// The program: `npm start`, or `npm start -- "your prompt"`. It uses the tools in process.
import { InboardError } from 'inboard';
import { runAgent } from './agent.ts';
import { createCaller } from './callers.ts';
import { hasAccount, startScript } from './model.ts';

const prompt = process.argv.slice(2).join(' ') || 'Remind me to water the plants. What else is there?';
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

const script = hasAccount(process.env) ? undefined : await startScript();
if (script) console.log('ANTHROPIC_API_KEY is not set, so a script answers, whatever you ask.\n');
try {
  const caller = createCaller(process.env['NOTES_USER'] ?? 'you');
  const { text } = await runAgent(prompt, caller, { ...script?.options, abortController: stop });
  console.log(text);
} catch (error) {
  // Errors of the package say what to do; anything else is a bug, and its stack trace helps.
  if (!(error instanceof InboardError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = stop.signal.aborted ? 130 : 1;
} finally {
  await script?.close({ verify: false });
}
