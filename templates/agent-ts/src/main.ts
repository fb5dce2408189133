// The program: `npm start`, or `npm start -- "your prompt"`.
//   --live           use the account that `claude` is logged in with
//   --trace <file>   record the run
import { parseArgs } from 'node:util';
import { InboardError } from 'inboard';
import { runAgent } from './agent.ts';
import { hasAccount, startScript } from './model.ts';
import { Stock } from './stock.ts';

const { values, positionals } = readArguments();
const prompt = positionals.join(' ') || 'Reserve two apples for Ada. How many are left?';

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

const stock = new Stock({ apples: 7, pears: 2 });
const script = values.live || hasAccount(process.env) ? undefined : await startScript();
if (script) {
  console.log('ANTHROPIC_API_KEY is not set, so a script answers, whatever you ask.');
  console.log('Set it, or log in with "npx claude" and run "npm start -- --live".\n');
}
try {
  const options = { ...script?.options, trace: values.trace, abortController: stop };
  const { text, turns, totalCostUsd } = await runAgent(prompt, stock, options);
  console.log(text);
  console.log(
    `\n${turns} turns, $${totalCostUsd.toFixed(4)}${script ? ' if the model were real' : ''}. Reserved:`,
  );
  console.log(stock.reservations);
} catch (error) {
  // Errors of the package say what to do; anything else is a bug, and its stack trace helps.
  if (!(error instanceof InboardError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = stop.signal.aborted ? 130 : 1;
} finally {
  await script?.close({ verify: false });
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { live: { type: 'boolean', default: false }, trace: { type: 'string' } },
    });
  } catch (error) {
    console.error((error as Error).message);
    console.error('Usage: npm start -- ["your prompt"] [--live] [--trace <file>]');
    return process.exit(2);
  }
}
