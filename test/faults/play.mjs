// Plays one cell: sets the host up in its state, waits for the child to reach the step, does what the host is to do then,
// and follows every promise it was given until all have settled, or until the limit.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { STATES } from './play-states.mjs';
import { Promises } from './promises.mjs';
import { FAULTS } from './table.mjs';

const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url));
const CONTROL_LIMIT_MS = 400;
const BIG_SETTING = 'x'.repeat(200_000);

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** Faults that only a limit of the host's own shows. */
const SILENT = ['silence', 'half-line-silence', 'ignores-sigterm'];

/** Plays a cell in the given folder; gives what happened, without a judgement. */
export async function playCell(cell, { sdk, folder, limitMs, slowness = 1, onReached = () => {} }) {
  mkdirSync(folder);
  const host = createHost(cell, { sdk, folder, slowness });
  void host.reached.then(onReached);
  const begun = performance.now();
  const play = STATES[cell.state];
  const over = (async () => {
    await play.run(host);
    await host.promises.allSettled();
    host.finish();
  })();
  let limit;
  const isInTime = await Promise.race([
    over.then(() => true),
    new Promise((resolve) => (limit = setTimeout(resolve, limitMs, false))),
  ]);
  clearTimeout(limit);
  return {
    name: cell.name,
    ms: Math.round(performance.now() - begun),
    isReached: host.isReached,
    isHung: !isInTime,
    promises: host.promises.list(),
    warnings: host.warnings,
    stuckSignals: host.stuckSignals.map(({ aborted }) => aborted),
  };
}

/** What the states and actions of a cell work with. */
function createHost(cell, { sdk, folder, slowness }) {
  const abortController = new AbortController();
  const promises = new Promises();
  const warnings = [];
  const stuckSignals = [];
  let target;
  let reach;
  const reached = new Promise((resolve) => (reach = resolve));
  const host = {
    cell,
    sdk,
    folder,
    slowness,
    promises,
    warnings,
    stuckSignals,
    abortController,
    isReached: false,
    isOver: false,
    reached,
    options: (more = {}) => createOptions(host, more),
    /** What the action is done to: a query or a session. One that comes late gets the action it missed. */
    aim(given) {
      target = given;
      promises.follow('initializationResult()', given.initializationResult());
      if (host.isReached) act();
    },
    /** A control request without a limit where the host's own limit is to be seen; the CLI must have time for others. */
    control: () =>
      promises.follow(
        'setPermissionMode()',
        target.setPermissionMode(
          'default',
          cell.step === 'control-open' ? { timeoutMs: CONTROL_LIMIT_MS } : {},
        ),
      ),
    finish() {
      host.isOver = true;
      reach();
    },
  };
  function noteReached() {
    if (host.isReached) return;
    host.isReached = true;
    reach();
    act();
  }
  function act() {
    if (cell.action === 'abort') abortController.abort(new Error('the host changed its mind'));
    if (!target) return;
    if (cell.action === 'close') promises.follow('close()', target.close());
    if (cell.action === 'return') promises.follow('return()', target.return());
    if (cell.action === 'interrupt')
      promises.follow('interrupt()', target.interrupt({ timeoutMs: CONTROL_LIMIT_MS }));
    // A CLI that waits for a handler is never given up, so the host has to leave by itself.
    if (cell.action === 'stuck-handler' && FAULTS[cell.fault].kind !== 'dies')
      promises.follow(
        'close()',
        pause(100).then(() => target.close()),
      );
  }
  host.noteStderr = (text) => text.includes('@reached') && noteReached();
  return host;
}

function createOptions(host, more) {
  const { cell, sdk, folder, slowness, warnings, stuckSignals } = host;
  const isSlow = cell.action === 'slow-reader';
  /** A callback that answers, unless it is the one to be stuck. */
  const answer =
    (step, value, readSignal) =>
    (...given) => {
      // Once: a CLI that is started again is answered.
      if (cell.action !== 'stuck-handler' || cell.step !== step || stuckSignals.length > 0) return value;
      stuckSignals.push(readSignal(...given));
      return new Promise(() => {});
    };
  const look = sdk.tool(
    'look',
    'Looks',
    {},
    answer('tool-open', 'seen', (_, extra) => extra.signal),
  );
  const isHandshake = cell.step === 'before-handshake' || cell.step === 'handshake';
  const isStill = SILENT.includes(cell.fault) || (cell.fault === 'stdin-closed' && isHandshake);
  return {
    pathToClaudeCodeExecutable: CHILD,
    claudeCodeVersion: '2.1.325',
    cwd: folder,
    env: environment({ cell: cell.name, step: cell.step, fault: cell.fault, folder }),
    includePartialMessages: true,
    stderr: host.noteStderr,
    onWarning: (warning) => warnings.push(warning.code),
    mcpServers: { desk: sdk.createSdkMcpServer({ name: 'desk', tools: [look] }) },
    canUseTool: answer('permission-open', { behavior: 'allow' }, (_tool, _input, { signal }) => signal),
    hooks: {
      PreToolUse: [{ hooks: [answer('hook-open', {}, (_input, _id, { signal }) => signal)] }],
    },
    // Where silence is the fault, the limits are short; elsewhere a busy machine must not look like it.
    handshakeTimeoutMs: isStill && isHandshake ? 2000 * slowness : 60_000,
    idleTimeoutMs: isStill ? 1500 * slowness : 60_000,
    closeGraceMs: 150 * slowness,
    killGraceMs: 150,
    // Two states have a private file, slow readers a file of unread messages, so that there is something to be left behind.
    ...(['streaming', 'session'].includes(cell.state) && { settings: { env: { BIG: BIG_SETTING } } }),
    ...(isSlow && { maxBufferedBytes: 64 }),
    ...(cell.fault === 'huge-line' && cell.state !== 'string' && { maxLineBytes: 1_000_000 }),
    ...more,
  };
}

/** The environment of a child; only the mark tells whose it is. */
export function environment(plan) {
  return {
    PATH: process.env.PATH,
    HOME: plan.folder,
    CLAUDE_CONFIG_DIR: join(plan.folder, 'config'),
    INBOARD_FAULT_CELL: JSON.stringify({ control: 'set_permission_mode', ...plan }),
  };
}
