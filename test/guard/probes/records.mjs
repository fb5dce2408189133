// What recording calls costs in files: counted where Node hands it to the system, and compared with what is on disk afterwards.
// Argument: "query", a plain query with calls, which records nothing; or "conversation", turns of a session with tools.
import { mkdtempSync, readFileSync, statSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileEvents } from './count-files.mjs';
import { listScripts, startCounting } from './count-steps.mjs';
import { chooseCli, readAll, report } from './session.mjs';
import { makeShapes, offerTools } from './tools.mjs';

/** In the code that keeps records and completes calls; names of classes outlive the build. */
const MARKS = ['RecordedCalls', 'CallCompletion', 'FileRecords', 'CallLog', 'FileClaim', 'CallSettler'];
/** What a conversation that nothing interrupts loads of it. */
const LOADED_BY_CONVERSATION = ['RecordedCalls', 'FileRecords', 'CallLog', 'FileClaim'];
const LOG = 'inboard-calls.jsonl';

// Other probes leave something in the home folder that they share.
process.env.HOME = mkdtempSync(join(process.cwd(), 'home-'));
fileEvents.length = 0;
startCounting();
const inboard = await import('inboard');
const shapes = await makeShapes('zod');

/** Which of these classes were loaded by now. */
function listLoaded() {
  const code = listScripts()
    .map((url) => readFileSync(fileURLToPath(url), 'utf8'))
    .join('\n');
  return MARKS.filter((name) => new RegExp(`\\bclass ${name}\\b|\\b${name} = class\\b`).test(code));
}

/** The files below the home folder, which is empty at first. */
function listFiles(folder = process.env.HOME) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

const describe = ({ what, path, call }) => `${what} ${path.replace(process.env.HOME, '~')} (${call})`;

/** What a person does: longer than code that decides at once, however short. */
const think = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

async function probeQuery() {
  const mcpServers = offerTools(inboard, shapes);
  const canUseTool = async (_name, updatedInput) => {
    await think();
    return { behavior: 'allow', updatedInput };
  };
  const options = { ...chooseCli({ calls: 20, questions: 3 }), mcpServers, canUseTool };
  await readAll(inboard.query({ prompt: 'go', options }));
  const modules = listLoaded();
  const count = (kind) => fileEvents.filter(({ what }) => what === kind).length;
  report({
    modules: modules.length,
    opens: count('open'),
    writes: count('write') + count('change'),
    files: listFiles().length,
    details: [...modules, ...fileEvents.map(describe), ...listFiles()],
  });
}

async function probeConversation() {
  const mcpServers = {
    guard: inboard.createSdkMcpServer({
      name: 'guard',
      tools: [
        inboard.tool('lookup', 'Answers at once.', shapes.lookup, async () => 'found'),
        inboard.tool('echo', 'Asks a person.', shapes.echo, async (_, { waitForPerson }) => {
          await waitForPerson(think());
          return 'yes';
        }),
      ],
    }),
  };
  let decide = async () => {};
  const canUseTool = async (_name, updatedInput) => {
    await decide();
    return { behavior: 'allow', updatedInput };
  };
  const session = inboard.openSession({ options: { ...chooseCli({}), mcpServers, canUseTool } });
  const details = [];
  /** What a turn writes. */
  const play = async (what, turn) => {
    const before = fileEvents.length;
    const outcome = await session.send(JSON.stringify(turn)).outcome();
    if (!outcome.ok) throw new Error(`${what}: ${JSON.stringify(outcome)}`);
    const events = fileEvents.slice(before);
    details.push(`${what}:`, ...events.map((event) => `  ${describe(event)}`));
    return events.filter((event) => event.what === 'write' || event.what === 'change').length;
  };
  await play('the first turn makes the file', {});
  const before = fileEvents.length;
  const turn = await play('a turn', {});
  const oneCall = await play('a turn with a call', { calls: 1 });
  const fiveCalls = await play('a turn with five calls', { calls: 5 });
  const atOnce = await play('a turn with five calls at once', { calls: 5, window: 5 });
  const waits = await play('a call that waits for a person', { lines: 1, bytes: 10 });
  const decided = await play('a question that code decides', { questions: 1 });
  decide = think;
  const asked = await play('a question that a person answers', { questions: 1 });
  const steady = fileEvents.slice(before);
  await session.close();
  const loaded = listLoaded();
  const missing = LOADED_BY_CONVERSATION.filter((name) => !loaded.includes(name));
  if (missing.length > 0)
    throw new Error(`Nothing loaded has the classes ${missing.join()}: have they other names now?`);
  const paths = new Set(fileEvents.filter(({ what }) => what === 'write').map(({ path }) => path));
  const [log] = listFiles().filter((path) => path.endsWith(LOG));
  if (log === undefined || !paths.has(log)) throw new Error(`No ${LOG} was written: ${[...paths].join()}`);
  // Every fact is a line, and every line a write of its own.
  const lines = readFileSync(log, 'utf8').split('\n').filter(Boolean);
  const writes = fileEvents.filter(({ what }) => what === 'write').length;
  if (lines.length !== writes)
    throw new Error(`${writes} writes were counted, but there are ${lines.length} lines`);
  report({
    'per turn': turn,
    'per call': Math.max(oneCall - turn, (fiveCalls - turn) / 5, (atOnce - turn) / 5),
    'for a handler that waits for a person, besides': waits - oneCall,
    'for a question that code decides': decided - turn,
    'for a question that a person answers': asked - turn,
    'opens after the first turn': steady.filter(({ what }) => what === 'open' || what === 'close').length,
    files: paths.size,
    details: [...details, ...listFiles()],
  });
}

await (process.argv[2] === 'query' ? probeQuery() : probeConversation());
