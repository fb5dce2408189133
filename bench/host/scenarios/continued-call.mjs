// A long session on the real CLI that is opened again, up to the model's next answer: one that was finished before and gets another
// message, and one that was cut off after a call had ended, whose result is written into the transcript first. In turns, so that a
// load that comes and goes meets both alike.
import { randomUUID } from 'node:crypto';
import { cpuMsSince } from '../gauges.mjs';
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
    const session = open(write(false));
    return [session, async () => session.send('And?')];
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
    const session = open({ sessionId, interrupted: 'continue' });
    return [session, async () => await session.continued];
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
  const middle = (name, what) =>
    figures[name].map((each) => each[what]).toSorted((a, b) => a - b)[Math.floor(repeats / 2)];
  return {
    ms: middle('goOn', 'ms'),
    ratio: middle('goOn', 'ms') / middle('resume', 'ms'),
    cpuMs: middle('goOn', 'cpuMs'),
    resumeMs: middle('resume', 'ms'),
    resumeCpuMs: middle('resume', 'cpuMs'),
  };
}

async function time(prepare) {
  const [session, begin] = await prepare();
  const before = process.cpuUsage();
  const begun = performance.now();
  const turn = await begin();
  const outcome = await turn.outcome();
  const figure = { ms: performance.now() - begun, cpuMs: cpuMsSince(before) };
  await session.close();
  if (!outcome.ok || outcome.text !== 'done')
    throw new Error(`The turn did not go as scripted: ${JSON.stringify(outcome).slice(0, 400)}`);
  return { ...figure, outcome };
}
