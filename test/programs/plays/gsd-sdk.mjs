// The runner of "get shit done": plans carried out with the stock prompt, a budget, project settings and its events.
export const answer =
  ({ text, toolUse }) =>
  ({ toolResults, systemText }) =>
    toolResults.length > 0
      ? text(
          `Made it, ${systemText.includes('executor') ? 'as told' : 'untold'}: ${toolResults[0].text.trim()}`,
        )
      : toolUse('Bash', { command: 'echo done' });

export async function play({ load, home }) {
  process.env = { ...home.env, PATH: process.env.PATH };
  const { runPlanSession } = await load('get-shit-done-cc/sdk/dist/session-runner.js');
  const { GSDEventStream } = await load('get-shit-done-cc/sdk/dist/event-stream.js');
  const events = [];
  const stream = new GSDEventStream();
  stream.on('event', (event) => events.push(event.type));
  const plan = {
    objective: 'Say done.',
    frontmatter: {},
    tasks: [],
    execution_context: [],
    context_refs: [],
    raw: '',
  };
  const result = await runPlanSession(plan, {}, { cwd: home.cwd, maxTurns: 4 }, undefined, stream, {});
  const { success, numTurns, error, usage } = result;
  return { success, numTurns, error: error ?? null, inputTokens: usage.inputTokens > 0, events };
}
