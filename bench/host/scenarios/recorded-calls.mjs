// Tool calls of a conversation, which records each, beside the same calls of a plain query, which records nothing: what a call costs
// this process. In turns, so that a load that comes and goes meets both alike.
import { answerTool, cpuMsSince, middleOf } from '../gauges.mjs';
import { loadTarget } from '../load-target.mjs';
import { environmentFor, readNotes } from '../play.mjs';

export async function measure({ target, cli, notes, warm, measured, repeats }) {
  const { sdk } = await loadTarget(target);
  const { tool, createSdkMcpServer, query, openSession } = sdk;
  const env = environmentFor({ name: 'questions', kind: 'call', warm, measured }, notes);
  const shape = { id: 'string', limit: 'number?', fields: 'string[]?' };
  /** CPU of this process from the first call that counts to the end of the turn, which `play` reads. */
  const time = async (play) => {
    let count = 0;
    let before;
    const lookup = tool('lookup', 'Look an item up', shape, async (given) => {
      if (count === warm) before = process.cpuUsage();
      count += 1;
      return answerTool('lookup', given);
    });
    const mcpServers = { bench: createSdkMcpServer({ name: 'bench', tools: [lookup] }) };
    const cpuMs = await play(
      { pathToClaudeCodeExecutable: cli, env, cwd: process.cwd(), mcpServers },
      () => before,
    );
    if (count !== warm + measured) throw new Error(`Called ${count} times instead of ${warm + measured}.`);
    return { cpuMs: (cpuMs / measured) * 10_000, roundTripUs: readNotes(notes).roundTripUs };
  };
  const playQuery = async (options, since) => {
    let cpuMs;
    for await (const { type } of query({ prompt: 'go', options }))
      if (type === 'result') cpuMs = cpuMsSince(since());
    return cpuMs;
  };
  const playConversation = async (options, since) => {
    const session = openSession({ options });
    const outcome = await session.send('go').outcome();
    const cpuMs = cpuMsSince(since());
    await session.close();
    if (!outcome.ok) throw new Error(`The turn failed: ${JSON.stringify(outcome)}`);
    return cpuMs;
  };
  const plain = [];
  const recorded = [];
  for (let round = 0; round < repeats; round += 1) {
    plain.push(await time(playQuery));
    recorded.push(await time(playConversation));
  }
  const read = (figures, name) => middleOf(figures.map((figure) => figure[name]));
  return {
    cpuMsPer10k: read(recorded, 'cpuMs'),
    cpuRatio: read(recorded, 'cpuMs') / read(plain, 'cpuMs'),
    roundTripRatio: read(recorded, 'roundTripUs') / read(plain, 'roundTripUs'),
  };
}
