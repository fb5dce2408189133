// A long session on the real CLI that is opened again, up to the model's next answer: one that was finished before and gets another
// message, and one that was cut off after a call had ended, whose result is written into the transcript first. In turns, so that a
// load that comes and goes meets both alike.
import { randomUUID } from 'node:crypto';
import { cpuMsSince, middleOf } from '../gauges.mjs';
import { loadTarget } from '../load-target.mjs';
import { writeLongTranscript } from '../long-transcript.mjs';

export async function measure({ target, cli, cliEnv, cwd, megabytes, repeats }) {
  const { sdk } = await loadTarget(target);
  const { tool, createSdkMcpServer, createFileCallRecords, openSession } = sdk;
  const lookup = tool('lookup', 'Look an item up', { id: 'string' }, async () => {
    throw new Error('The call has ended: it must not run again.');
  });
  const open = ({ sessionId, ...more }) => {
    const mcpServers = { bench: createSdkMcpServer({ name: 'bench', tools: [lookup] }) };
    const options = { pathToClaudeCodeExecutable: cli, env: cliEnv, cwd, mcpServers, resume: sessionId };
    return openSession({ options, ...more });
  };
  const write = (isCut) => {
    const sessionId = randomUUID();
    const configFolder = cliEnv.CLAUDE_CONFIG_DIR;
    const bytes = megabytes * 1e6;
    return { sessionId, ...writeLongTranscript({ configFolder, cwd, sessionId, bytes, isCut }) };
  };
  const resume = async () => {
    const { sessionId } = write(false);
    return async () => {
      const session = open({ sessionId });
      return { session, turn: session.send('And?') };
    };
  };
  const goOn = async () => {
    const { sessionId, folder, message, toolUseId, toolName, input } = write(true);
    const records = createFileCallRecords({ folder });
    const [callKey, owner, at] = ['bench', 'bench', Date.now()];
    await records.add({ type: 'covers', message, owner, at });
    await records.add({ type: 'begun', callKey, toolUseId, toolName, input, attempt: 1, owner, at });
    const result = { content: [{ type: 'text', text: 'found' }] };
    await records.add({ type: 'ended', callKey, result, at });
    await records.close();
    return async () => {
      const session = open({ sessionId, interrupted: 'continue' });
      return { session, turn: await session.continued, completed: 1 };
    };
  };
  const figures = { resume: [], goOn: [] };
  // The first of each is not counted: it loads what the others find loaded.
  for (let round = 0; round <= repeats; round += 1) {
    for (const [name, prepare] of [
      ['resume', resume],
      ['goOn', goOn],
    ]) {
      const figure = await time(prepare);
      if (round > 0) figures[name].push(figure);
    }
  }
  const read = (name, what) => middleOf(figures[name].map((figure) => figure[what]));
  return {
    ms: read('goOn', 'ms'),
    ratio: read('goOn', 'ms') / read('resume', 'ms'),
    cpuMs: read('goOn', 'cpuMs'),
    moreCpuMs: read('goOn', 'cpuMs') - read('resume', 'cpuMs'),
  };
}

/** From the moment the session is opened to the answer. */
async function time(prepare) {
  const open = await prepare();
  const before = process.cpuUsage();
  const begun = performance.now();
  const { session, turn, completed = 0 } = await open();
  const outcome = await turn.outcome();
  const figure = { ms: performance.now() - begun, cpuMs: cpuMsSince(before) };
  await session.close();
  const delivered = (outcome.completedCalls ?? []).filter((call) => call.delivered);
  if (!outcome.ok || outcome.text !== 'done' || delivered.length !== completed)
    throw new Error(`The turn did not go as scripted: ${JSON.stringify(outcome).slice(0, 400)}`);
  return figure;
}
