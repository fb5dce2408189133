// What is counted: a row for each value that a probe reports, and how far above its measured value it may go. The
// measured values and the bounds that follow from these rules are in bounds.json.
//   exactly()    no more than measured     times(x)   x times the measured value
//   at(limit)    a limit that was chosen
// A row that is `raisedByLoad` is measured again, alone, where it is above its bound: a busy machine can raise it, and cannot lower it.
// A row with `perNode` depends on the release line of Node, and is judged only on the one it was measured with.

const exactly = () => (measured) => measured;
export const times = (factor) => (measured) => measured * factor;
const raisedByLoad = (bound) => Object.assign((measured) => bound(measured), { isRaisedByLoad: true });
export const at = (limit) => Object.assign(() => limit, { isChosen: true });

const SLACK = times(1.15);
// What is allocated must not depend on when the optimising compiler ran, nor what is kept on how far another thread has swept.
const PLAIN = ['--expose-gc', '--single-threaded-gc', '--no-opt', '--no-sparkplug', '--no-flush-bytecode'];
const ROOMY = ['--min-semi-space-size=128', '--max-semi-space-size=128'];

const files = (work, what) => ({
  name: what,
  command: ['load.mjs', work, 'files'],
  rows: { files: SLACK, bytes: SLACK },
});
const builtins = (work, what) => ({
  name: what,
  command: ['load.mjs', work, 'builtins'],
  rows: { builtins: SLACK },
  perNode: true,
});
const unrun = (work, what) => ({
  name: what,
  command: ['load.mjs', work, 'unrun'],
  rows: { bytes: times(1.05) },
  perNode: true,
});
const steps = (work, what, rows) => ({
  name: what,
  command: ['steps.mjs', work],
  rows,
});
const held = (what) => ({
  name: 'held by an idle session',
  command: ['idle-sessions.mjs', what],
  flags: PLAIN,
  rows: { [what]: SLACK },
  perNode: true,
});
// Eight times the work in up to eight to the power of 1.15, eleven times the steps.
const growth = (what, name, limit = 1.15) => ({
  name,
  command: ['growth.mjs', what],
  rows: { exponent: at(limit) },
});

/** Every probe: what it looks at, the program with its arguments and flags of Node, and the values it reports. */
export const PROBES = [
  files('import', "import 'inboard'"),
  builtins('import', "import 'inboard'"),
  files('zod', 'first query, a tool with zod'),
  files('json', 'first query, a tool with JSON Schema'),
  files('words', 'first query, a tool with words'),
  builtins('zod', 'first query, a tool with zod'),
  unrun('zod', 'loaded by a first query and never run, a tool with zod'),
  {
    name: 'processes, where the place of the CLI tells its version',
    command: ['processes.mjs', 'package'],
    rows: { first: exactly(), second: exactly() },
  },
  {
    name: 'processes, where it does not',
    command: ['processes.mjs', 'bare'],
    rows: { first: exactly(), second: exactly() },
  },
  {
    name: 'per call, one at a time',
    command: ['writes.mjs', '1'],
    // Some calls of the system are those of V8's own threads.
    rows: { writes: exactly(), systemCalls: raisedByLoad(times(1.25)) },
  },
  {
    name: 'per call, 32 at a time',
    command: ['writes.mjs', '32'],
    // One write for all; the system may now and then hand 32 calls over in two pieces.
    rows: { writes: times(1.5) },
  },
  {
    name: 'records of a plain query',
    command: ['records.mjs', 'query'],
    // It completes nothing, so it records nothing, and loads nothing that could.
    rows: { modules: at(0), opens: at(0), writes: at(0), files: at(0) },
  },
  {
    name: 'records of a conversation',
    command: ['records.mjs', 'conversation'],
    // The marker of what is covered; a call's begin and its end; all in one file, which stays open.
    rows: {
      'per turn': at(1),
      'per call': at(2),
      'for a handler that waits for a person, besides': at(2),
      'for a question that code decides': at(0),
      'for a question that a person answers': at(2),
      'opens after the first turn': at(0),
      files: at(1),
    },
  },
  steps('call', 'per call of a tool', {
    steps: SLACK,
    functions: exactly(),
    'calls of functions': exactly(),
  }),
  steps('question', 'per question for permission', {
    steps: SLACK,
    functions: exactly(),
    'calls of functions': exactly(),
  }),
  // Twenty messages may come in one piece or in two, and a piece has its own costs.
  steps('delta', 'per partial message', { steps: times(1.3) }),
  {
    name: 'allocated per call',
    command: ['allocation.mjs', 'allocated'],
    flags: [...PLAIN, ...ROOMY],
    rows: { bytes: SLACK },
    perNode: true,
  },
  {
    name: 'kept per call',
    command: ['allocation.mjs', 'kept'],
    flags: PLAIN,
    rows: { bytes: at(1) },
  },
  held('objects'),
  held('bytes'),
  {
    name: 'a large tool result in a cluster',
    command: ['results.mjs'],
    // Once, whatever refers to it. What is done in one go keeps the worker from renewing its leases.
    rows: { copies: at(1), sentAtOnce: at(2 ** 20), encodedAtOnce: at(2 ** 20) },
  },
  growth('calls', 'growth with calls in flight'),
  growth('recorded', 'growth with recorded calls of a turn'),
  growth('tools', 'growth with tools of a server'),
  growth('transcripts', 'growth with transcripts listed'),
  // By time, as its probe explains: 1.5 is 22 times for eight times the length.
  growth('line', 'growth with the length of a line', 1.5),
];
