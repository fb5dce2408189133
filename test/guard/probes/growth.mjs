// How work grows with its size: done at one size and at eight times that, and the exponent between the two (1: twice as
// much costs twice as much; 2: four times as much). Argument: what grows.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCounting, takeSteps } from './count-steps.mjs';
import { chooseCli, readAll, report } from './session.mjs';
import { makeShapes, offerTools } from './tools.mjs';

const FACTOR = 8;

/** Calls that are all begun before one of them is done. */
async function callAtOnce(count) {
  let open = 0;
  let letGo;
  const all = new Promise((resolve) => (letGo = resolve));
  const mcpServers = offerTools(inboard, shapes, () => {
    open += 1;
    if (open === count) letGo();
    return all;
  });
  const options = { ...chooseCli({ calls: count, window: count }), mcpServers };
  await readAll(inboard.query({ prompt: 'go', options }));
}

/** Equal calls of one turn of a conversation, which records them. */
async function recordCalls(count) {
  const options = { ...chooseCli({ calls: count }), mcpServers: offerTools(inboard, shapes) };
  const session = inboard.openSession({ options });
  const { ok } = await session.send('go').outcome();
  await session.close();
  if (!ok) throw new Error('The turn failed');
}

/** A server with that many tools, made and told to the CLI. */
async function offerMany(count) {
  const many = Array.from({ length: count }, (_, index) => [`tool_${index}`, shapes.lookup]);
  const mcpServers = offerTools(inboard, { ...Object.fromEntries(many), ...shapes });
  await readAll(inboard.query({ prompt: 'go', options: { ...chooseCli({ calls: 1 }), mcpServers } }));
}

/** Past sessions of one project, listed. */
async function listTranscripts(count) {
  const config = join(process.env.HOME, `config-${count}`);
  const folder = join(config, 'projects', '-work');
  mkdirSync(folder, { recursive: true });
  for (let index = 0; index < count; index += 1) {
    const sessionId = `57d460cf-0000-4000-8000-${String(index).padStart(12, '0')}`;
    const message = { role: 'user', content: `Question ${index}` };
    const entry = { type: 'user', message, sessionId, cwd: '/work', uuid: sessionId, parentUuid: null };
    const line = JSON.stringify({ ...entry, timestamp: '2026-11-16T00:00:00.000Z' });
    writeFileSync(join(folder, `${sessionId}.jsonl`), `${line}\n`);
  }
  process.env.CLAUDE_CONFIG_DIR = config;
  takeSteps();
  const { length } = await inboard.listSessions();
  if (length !== count) throw new Error(`Listed ${length} of ${count} transcripts`);
}

/**
 * The processor time for one call with a long argument. A long line costs time in Node's own code, which counted steps would
 * not show. The least of several calls hardly depends on the load of the machine.
 */
async function timeLongLine(bytes) {
  const spent = [];
  let begun = process.cpuUsage();
  const mcpServers = offerTools(inboard, shapes, () => {
    const { user, system } = process.cpuUsage(begun);
    spent.push(user + system);
    begun = process.cpuUsage();
  });
  const options = { ...chooseCli({ lines: 8, bytes }), mcpServers };
  await readAll(inboard.query({ prompt: 'go', options }));
  return Math.min(...spent.slice(1));
}

async function countSteps(work, size) {
  takeSteps();
  await work(size);
  return takeSteps().steps;
}

const WORK = {
  calls: [125, (size) => countSteps(callAtOnce, size)],
  recorded: [125, (size) => countSteps(recordCalls, size)],
  tools: [125, (size) => countSteps(offerMany, size)],
  transcripts: [40, (size) => countSteps(listTranscripts, size)],
  line: [2 ** 20, timeLongLine],
};

const [size, measure] = WORK[process.argv[2]];
if (measure !== timeLongLine) startCounting();
const inboard = await import('inboard');
const shapes = await makeShapes('zod');
// What happens only once is not to be taken for growth.
await measure(size);
const small = await measure(size);
const large = await measure(size * FACTOR);
report({
  exponent: Math.log(large / small) / Math.log(FACTOR),
  details: [`${small} at ${size}`, `${large} at ${size * FACTOR}`],
});
