// A sample of the matrix on the real CLIs, offline with a scripted model: they cannot be made to go wrong from inside, so a
// signal comes from outside at a step that can be observed, and the host does something or nothing.
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { giveTime, isRunning } from './processes.mjs';
import { Promises } from './promises.mjs';

const CLIS = {
  '2.1.325': {},
  '2.1.33': {
    pathToClaudeCodeExecutable: fileURLToPath(
      new URL('../../node_modules/claude-code-2.1.33/cli.js', import.meta.url),
    ),
  },
};
const STEPS = ['handshake', 'streaming', 'tool-open', 'permission-open', 'after-result'];
const LIMIT_MS = 60_000;
const AT_ONCE = 3;

/** What the host does beside each signal. */
const ACTIONS = { SIGKILL: ['none', 'close'], SIGTERM: ['none'], SIGSTOP: ['abort', 'none'] };

const ENDS = {
  SIGKILL: ['PROCESS_KILLED'],
  // A CLI that is asked to leave does so in its own way: by the signal, with a code, or having ended its turn.
  SIGTERM: ['PROCESS_KILLED', 'PROCESS_EXITED', 'NO_RESULT', 'ERROR_RESULT', 'value'],
  SIGSTOP: ['STALLED', 'HANDSHAKE_TIMEOUT'],
};

/** All cells of the sample. */
export function createRealCells() {
  return Object.keys(CLIS).flatMap((version) =>
    STEPS.flatMap((step) =>
      Object.entries(ACTIONS).flatMap(([signal, actions]) =>
        actions
          // Where a tool may run, or the turn may not be over, a silent CLI is waited for.
          .filter((action) => signal !== 'SIGSTOP' || action !== 'none' || /handshake|streaming/.test(step))
          .map((action) => ({
            name: `${version}/${step}/${signal}/${action}`,
            version,
            step,
            signal,
            action,
          })),
      ),
    ),
  );
}

/** Plays them; gives what each came to, and its problems. */
export async function runReal({ sdk, testing, cells, onResult }) {
  const troubles = [];
  const note = (error) => troubles.push(`unhandled: ${error?.stack ?? error}`);
  process.on('unhandledRejection', note);
  const waiting = [...cells];
  const results = [];
  async function work() {
    for (let cell = waiting.shift(); cell; cell = waiting.shift()) {
      const result = await playReal(cell, { sdk, testing }).catch((error) => ({
        outcome: 'not played',
        problems: [String(error?.stack ?? error)],
      }));
      results.push({ ...cell, ...result, problems: [...result.problems, ...troubles.splice(0)] });
      onResult(results.at(-1));
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  process.off('unhandledRejection', note);
  return results.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

async function playReal(cell, { sdk, testing }) {
  const { held, gate, startScriptedModel, createIsolatedEnvironment } = testing;
  const door = gate();
  const model = await startScriptedModel({ script: scriptOf(cell, testing, { held, door }) });
  const home = await createIsolatedEnvironment({ baseUrl: model.url });
  const promises = new Promises();
  const abortController = new AbortController();
  let query;
  let pid;
  const strike = () => {
    if (pid !== undefined) return;
    pid = query.pid;
    process.kill(pid, cell.signal);
    if (cell.action === 'close') promises.follow('close()', query.close());
    if (cell.action === 'abort') abortController.abort();
  };
  try {
    query = sdk.query({
      prompt: 'Go.',
      options: optionsOf(cell, { sdk, home, abortController, strike }),
    });
    promises.follow('initializationResult()', query.initializationResult());
    promises.follow('iteration', read(cell, query, strike));
    if (cell.step === 'handshake') await strikeWhenStarted(query, strike);
    const isInTime = await Promise.race([
      promises.allSettled().then(() => true),
      pause(LIMIT_MS, false, { ref: false }),
    ]);
    promises.follow('close() at the end', query.close());
    await Promise.race([promises.allSettled(), pause(10_000, undefined, { ref: false })]);
    await giveTime(() => !isRunning(pid), 5000);
    return judgeReal(cell, { list: promises.list(), isInTime, pid });
  } finally {
    door.open();
    await query?.close();
    await model.close({ verify: false });
    await home.remove();
  }
}

function scriptOf({ step }, { text, toolUse }, { held, door }) {
  if (step === 'streaming') return [held(text(['So ', 'long.']), { until: door, at: { insideBlock: 0 } })];
  if (step.endsWith('-open')) return [toolUse('mcp__desk__look', {}), text('Done.')];
  return [text('Done.')];
}

function optionsOf(cell, { sdk, home, abortController, strike }) {
  const look = sdk.tool('look', 'Looks', {}, async (_, { signal }) => {
    if (cell.step !== 'tool-open') return 'seen';
    strike();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return 'too late';
  });
  return {
    ...CLIS[cell.version],
    env: home.env,
    cwd: home.cwd,
    settingSources: [],
    abortController,
    includePartialMessages: true,
    closeGraceMs: 300,
    killGraceMs: 300,
    ...(cell.signal === 'SIGSTOP' && cell.action === 'none' && limitsOf(cell)),
    mcpServers: { desk: sdk.createSdkMcpServer({ name: 'desk', alwaysLoad: true, tools: [look] }) },
    canUseTool: async () => {
      if (cell.step === 'permission-open') strike();
      return { behavior: 'allow' };
    },
  };
}

/** The limit that is to show that the CLI says nothing. */
function limitsOf({ step }) {
  return step === 'handshake' ? { handshakeTimeoutMs: 10_000 } : { idleTimeoutMs: 10_000 };
}

/** Gives the number of results. */
async function read({ step }, query, strike) {
  let results = 0;
  for await (const message of query) {
    if (message.type === 'result') results += 1;
    if (step === 'streaming' && message.type === 'stream_event') strike();
    if (step === 'after-result' && message.type === 'result') strike();
  }
  return results;
}

async function strikeWhenStarted(query, strike) {
  await giveTime(() => query.pid !== undefined, 10_000);
  strike();
}

function judgeReal({ step, signal, action }, { list, isInTime, pid }) {
  const problems = [];
  const iteration = list.find(({ name }) => name === 'iteration');
  const outcome =
    iteration.state === 'error' ? (iteration.error.code ?? iteration.error.name) : iteration.state;
  const ends = step === 'after-result' ? ['value'] : ENDS[signal];
  const byAction = { close: ['value'], abort: ['ABORTED'] }[action] ?? [];
  const allowed = [...ends, ...byAction];
  if (outcome === 'value' && action === 'none' && iteration.value === 0)
    problems.push('no result, and no error');
  if (!isInTime) problems.push('hung');
  if (!allowed.includes(outcome)) problems.push(`${outcome} instead of ${allowed.join(' or ')}`);
  for (const { name, state, error } of list) {
    if (state === 'pending') problems.push(`${name} never settled`);
    if (state === 'error' && error.code === undefined) problems.push(`${name}: ${error.name} without a code`);
  }
  if (pid === undefined) problems.push('the step was never reached');
  else if (isRunning(pid)) problems.push(`process ${pid} is left`);
  return { outcome, problems };
}
