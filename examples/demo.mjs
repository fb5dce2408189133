// A real turn of the real CLI, offline: the model is a script on loopback unless ANTHROPIC_API_KEY is set.
// Run it with `npm run demo`.
import { outcomeOf, query } from 'inboard';
import { createIsolatedEnvironment, startScriptedModel, text, toolUse } from 'inboard/testing';

const live = process.env.ANTHROPIC_API_KEY !== undefined && process.env.INBOARD_DEMO !== 'offline';
const prompt = 'How many files are in this folder? Use the shell, then say it in one sentence.';

const model = live
  ? undefined
  : await startScriptedModel({
      script: [toolUse('Bash', { command: 'ls | wc -l' }), text('There are no files here yet.')],
    });
const home = model && (await createIsolatedEnvironment({ baseUrl: model.url }));
console.log(live ? 'Model: the real one (ANTHROPIC_API_KEY is set)' : `Model: a script on ${model?.url}`);

const show = (who, what) => console.log(`${who.padEnd(10)}${what}`);
const started = performance.now();
const q = query({
  prompt,
  options: {
    allowedTools: ['Bash'],
    settingSources: [],
    ...(home ? { env: home.env, cwd: home.cwd } : {}),
  },
});
try {
  show('you', prompt);
  for await (const message of q) {
    if (message.type === 'system' && message.subtype === 'init') {
      show('cli', `Claude CLI ${message.claude_code_version}, pid ${q.pid}, session ${message.session_id}`);
    } else if (message.type === 'assistant') {
      for (const block of message.message.content) {
        if (block.type === 'text') show('model', block.text);
        if (block.type === 'tool_use') show('model', `calls ${block.name} ${JSON.stringify(block.input)}`);
      }
    } else if (message.type === 'user' && Array.isArray(message.message.content)) {
      for (const block of message.message.content) {
        if (block.type === 'tool_result') show('tool', JSON.stringify(block.content));
      }
    } else if (message.type === 'result') {
      const { kind, turns, costUsd } = outcomeOf(message);
      show('result', `${kind}, ${turns} turns, $${costUsd.toFixed(4)}, ${Math.round(performance.now() - started)} ms`);
    }
  }
} finally {
  await model?.close();
  await home?.remove();
}
