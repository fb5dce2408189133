// The model of the soak's real part, in a process of its own: a scripted model keeps every request for the test that made
// it, and those of a long conversation grow with it. Prints its address, and ends with its input.
import { startScriptedModel, text, toolUse } from '../../dist/entry/testing.js';

let requests = 0;
const model = await startScriptedModel({
  // Turns come one after the other: each calls the tool, and then answers.
  onExhausted: () =>
    requests++ % 2 === 0 ? toolUse('mcp__shop__count', { article: 'figs' }) : text('Seven.'),
});
process.stdout.write(`${model.url}\n`);
process.stdin.resume().once('end', () => void model.close({ verify: false }));
