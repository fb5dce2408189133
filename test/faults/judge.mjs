// What must hold for a cell, whatever its outcome, and which outcomes it may have: a table by fault and by where in the life
// of the CLI it happens. Gives the problems of a record; none means that the cell passed.
import { FAULTS } from './table.mjs';

/** The outcomes of each fault before the handshake is answered, while a turn is under way, and when all is answered. */
const OUTCOMES = {
  'exit-0': { before: ['PROCESS_EXITED'], turn: ['NO_RESULT'] },
  'exit-1': { before: ['PROCESS_EXITED'], turn: ['PROCESS_EXITED'] },
  'half-line-exit': { before: ['PROCESS_EXITED'], turn: ['PROCESS_EXITED'] },
  grandchild: { before: ['PROCESS_EXITED'], turn: ['PROCESS_EXITED'] },
  sigkill: { before: ['PROCESS_KILLED'], turn: ['PROCESS_KILLED'] },
  sigsegv: { before: ['PROCESS_KILLED'], turn: ['PROCESS_KILLED'] },
  silence: { before: ['HANDSHAKE_TIMEOUT'], turn: ['STALLED'] },
  'half-line-silence': { before: ['HANDSHAKE_TIMEOUT'], turn: ['STALLED'] },
  'ignores-sigterm': { before: ['HANDSHAKE_TIMEOUT'], turn: ['STALLED'] },
  'stdout-closed': { before: ['PROCESS_KILLED'], turn: ['PROCESS_KILLED'] },
  // It depends on what the child had read by then, and on whether the host has anything more to write.
  'stdin-closed': {
    before: ['HANDSHAKE_TIMEOUT', 'PROCESS_KILLED', 'PROCESS_EXITED', 'NO_RESULT', 'STALLED', 'value'],
    turn: ['PROCESS_KILLED', 'NO_RESULT', 'value'],
  },
};

const BEFORE = ['before-handshake', 'handshake'];
const AT_THE_END = ['result', 'after-result', 'control-after-result', 'stdin-end'];
const DEATHS = ['PROCESS_EXITED', 'PROCESS_KILLED', 'NO_RESULT'];
const WARNINGS = {
  garbage: ['MALFORMED_LINE', 'MALFORMED_FRAME'],
  'nul-bytes': ['MALFORMED_LINE'],
  'bad-utf8': ['MALFORMED_LINE'],
};

/** What became of a promise: `value`, `pending`, or the code of the error. A session's error is that of its CLI. */
function outcomeOf({ state, error }) {
  if (state !== 'error') return state;
  const { code, cause } = error;
  if ((code === 'TURN_LOST' || code === 'SESSION_CLOSED') && cause?.code !== undefined)
    return outcomeOf({ state, error: cause });
  return code === undefined ? `${error.name} without a code: ${error.message}` : code;
}

/** The outcomes that a cell's fault allows by itself. */
export function allowedOutcomes({ step, fault, state }) {
  const codes = OUTCOMES[fault];
  if (codes === undefined) return ['value'];
  // A pool replaces a CLI that does not get through its handshake, and one that goes wrong while it waits.
  const isAnswered = step === 'after-handshake' || fault === 'stdin-closed';
  if (state === 'pool' && (BEFORE.includes(step) || step === 'after-handshake'))
    return isAnswered ? [...codes.turn, 'value'] : ['value'];
  if (BEFORE.includes(step)) return codes.before;
  // Its CLI is started again, and the message sent again.
  if (state === 'resumed') return ['value'];
  if (!AT_THE_END.includes(step)) return codes.turn;
  // With another message on its way, or not yet, when the fault happens.
  const hasMore = state !== 'string' && state !== 'pool' && step !== 'stdin-end';
  // A CLI without output is ended because it lingers, too.
  return hasMore ? [...codes.turn, 'NO_RESULT', 'value'] : ['value'];
}

function withAction(cell, outcomes) {
  const { action, fault } = cell;
  switch (action) {
    case 'close':
    case 'break':
    case 'return':
      return [...outcomes, 'value', 'SESSION_CLOSED'];
    case 'abort':
      return [...outcomes, 'ABORTED', 'SESSION_CLOSED'];
    case 'interrupt':
      return [...outcomes, 'value'];
    case 'stuck-handler':
      return FAULTS[fault].kind === 'dies' ? outcomes : [...outcomes, 'value', 'SESSION_CLOSED'];
    default:
      return outcomes;
  }
}

/** The promises on which the fault must show, if it shows at all. */
function mainPromises({ step, state }) {
  if (['string', 'streaming', 'pool'].includes(state)) return ['iteration'];
  return step === 'second-turn' || AT_THE_END.includes(step) ? ['turn 2'] : ['turn 1'];
}

/** The one problem that says nothing about the host. */
export const UNREACHED = 'the child never reached the step';

/** The problems of a played cell. */
export function judge(cell, record) {
  const problems = [];
  const complain = (text) => problems.push(text);
  if (record.isHostDead) return ['the host process died'];
  const pending = record.promises.filter(({ state }) => state === 'pending').map(({ name }) => name);
  if (record.isHung) complain(`hung after ${record.ms} ms; open: ${pending.join(', ') || 'nothing'}`);
  if (!record.isReached) complain(UNREACHED);
  for (const trouble of record.troubles ?? []) complain(trouble);
  if (record.orphans.length > 0) complain(`processes left: ${record.orphans.join(', ')}`);
  if (record.stuckSignals.includes(false)) complain('the signal of a stuck handler did not abort');
  if (cell.action === 'stuck-handler' && record.stuckSignals.length === 0)
    complain('the handler that was to be stuck was never called');
  const allowed = withAction(cell, allowedOutcomes(cell));
  for (const promise of record.promises) checkPromise(cell, promise, allowed, complain);
  checkWarnings(cell, record, complain);
  return problems;
}

function checkPromise(cell, promise, allowed, complain) {
  const { name, state, error } = promise;
  const outcome = outcomeOf(promise);
  const tell = (wanted) => complain(`${name}: ${outcome} instead of ${wanted.join(' or ')}`);
  if (state === 'pending') return;
  if (/without a code/.test(outcome)) complain(`${name}: ${outcome}`);
  if (/close/.test(name) && outcome !== 'value') tell(['value']);
  if (/neighbour/.test(name) && promise.value !== 'one two') tell(['value']);
  if (mainPromises(cell).includes(name) && !allowed.includes(outcome)) tell(allowed);
  if (name === 'ready()' && BEFORE.includes(cell.step)) {
    const wanted = OUTCOMES[cell.fault]?.before ?? ['value'];
    if (!wanted.includes(outcome)) tell(wanted);
  }
  if (state === 'error' && !hasStderr(error))
    complain(`${name}: ${outcome} without what the child wrote to stderr`);
}

/** Whether an error that tells of a dead child also has its last words. */
function hasStderr(error) {
  for (let each = error; each; each = each.cause)
    if (DEATHS.includes(each.code) && !each.stderrTail?.includes('@reached')) return false;
  return true;
}

function checkWarnings({ fault, step, state, action }, { warnings }, complain) {
  // A host that leaves may not hear of everything.
  if (!['none', 'slow-reader'].includes(action)) return;
  const isTooLong = fault === 'huge-line' && state !== 'string';
  for (const code of isTooLong ? ['LINE_TOO_LONG'] : (WARNINGS[fault] ?? []))
    if (!warnings.includes(code)) complain(`no warning ${code} at ${step}`);
}
