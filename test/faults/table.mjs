// The fault matrix as data: where a CLI can go wrong, how, in which state of the host, and what the host does meanwhile; which
// combinations make no sense, and why. A cell is one combination; its name says all of it.

export const STEPS = [
  'before-handshake',
  'handshake',
  'after-handshake',
  'first-message',
  'mid-stream',
  'hook-open',
  'permission-open',
  'tool-open',
  'control-open',
  'result',
  'after-result',
  'control-after-result',
  'second-turn',
  'stdin-end',
];

/** `kind` is what becomes of the child: `dies`, `stays` without another word, or `goes-on` as if nothing had happened. */
export const FAULTS = {
  'exit-0': { kind: 'dies' },
  'exit-1': { kind: 'dies' },
  sigkill: { kind: 'dies' },
  sigsegv: { kind: 'dies' },
  'half-line-exit': { kind: 'dies' },
  grandchild: { kind: 'dies' },
  silence: { kind: 'stays' },
  'half-line-silence': { kind: 'stays' },
  'ignores-sigterm': { kind: 'stays' },
  'stdout-closed': { kind: 'stays' },
  'stdin-closed': { kind: 'goes-on' },
  garbage: { kind: 'goes-on' },
  'nul-bytes': { kind: 'goes-on' },
  'bad-utf8': { kind: 'goes-on' },
  duplicate: { kind: 'goes-on' },
  'unknown-id': { kind: 'goes-on' },
  'out-of-order': { kind: 'goes-on' },
  'huge-line': { kind: 'goes-on' },
  'stderr-flood': { kind: 'goes-on' },
};

/** How the host uses the CLI. `resumed` is a session that resumes another, and restarts its CLI once. */
export const STATES = ['string', 'streaming', 'session', 'pool', 'group', 'resumed'];

/** What the host does when the child has reached the step; the last two are how it behaves all along. */
export const ACTIONS = [
  'none',
  'close',
  'abort',
  'break',
  'interrupt',
  'return',
  'slow-reader',
  'stuck-handler',
];

const SESSIONS = ['session', 'group', 'resumed'];
const BEFORE_MESSAGES = ['before-handshake', 'handshake', 'after-handshake'];
const QUESTIONS = ['hook-open', 'permission-open', 'tool-open'];
const AT_THE_END = ['result', 'after-result', 'control-after-result', 'stdin-end'];
const isSilent = (fault) => FAULTS[fault].kind === 'stays' && fault !== 'stdout-closed';

/** What is left out, and why. The first rule that holds counts. */
export const EXCLUSIONS = [
  {
    name: 'one prompt has one turn',
    holds: ({ step, state }) => step === 'second-turn' && (state === 'string' || state === 'pool'),
  },
  {
    name: 'leaving a loop needs a message to leave it at; before the first there is return()',
    holds: ({ step, action }) => action === 'break' && BEFORE_MESSAGES.includes(step),
  },
  {
    name: 'the generator of a session is the loop over a turn, and leaving that is `break`',
    holds: ({ state, action }) => action === 'return' && SESSIONS.includes(state),
  },
  {
    name: 'a reader is slow only where there is something to read',
    holds: ({ step, action }) => action === 'slow-reader' && BEFORE_MESSAGES.includes(step),
  },
  {
    name: 'a handler is stuck only while the CLI waits for it',
    holds: ({ step, action }) => action === 'stuck-handler' && !QUESTIONS.includes(step),
  },
  {
    name: 'the input has ended, so nothing of it can be closed, and no line is left to be doubled or passed',
    holds: ({ step, fault }) =>
      step === 'stdin-end' && ['stdin-closed', 'duplicate', 'out-of-order'].includes(fault),
  },
  {
    name: 'the input of a session ends only when it is closed, which is `close` at this step',
    holds: ({ step, state, action }) =>
      step === 'stdin-end' && SESSIONS.includes(state) && action !== 'close',
  },
  {
    name: 'nothing is left to interrupt once the input has ended',
    holds: ({ step, action }) => step === 'stdin-end' && action === 'interrupt',
  },
  {
    name: 'a CLI that has given a result and not said that it is idle may be silent for 10 minutes, which is documented',
    holds: ({ step, fault, action }) =>
      step === 'result' && isSilent(fault) && ['none', 'slow-reader', 'interrupt'].includes(action),
  },
  {
    name: 'a control request without a limit may take 60 s in the middle of a turn, which is documented, and hides a stall meanwhile',
    holds: ({ step, fault, state, action }) =>
      step === 'control-after-result' &&
      isSilent(fault) &&
      (SESSIONS.includes(state) || state === 'streaming') &&
      ['none', 'slow-reader', 'interrupt'].includes(action),
  },
  {
    name: 'an idle session waits for the next message as long as its host likes, whatever its CLI does meanwhile',
    holds: ({ step, fault, state, action }) =>
      AT_THE_END.includes(step) &&
      SESSIONS.includes(state) &&
      FAULTS[fault].kind === 'stays' &&
      ['none', 'slow-reader'].includes(action),
  },
];

/** Faults that are over when a line was dropped or a pipe was read, before anything that has a state sees them. */
const PASSING = ['garbage', 'nul-bytes', 'bad-utf8', 'unknown-id', 'huge-line', 'stderr-flood'];

/** What the rules allow and is not run without `--every`: which one is, goes round, so that every step meets every action in every state. */
export const ROTATION = {
  states: 'for each step and fault an action is tried in one state; the states take turns',
  passing:
    'a line that is dropped, or a flood of stderr, never gets to the states: at each step two states and two actions, which take turns',
};

/** The rule by which a combination is left out; undefined for one that is run. */
export function findExclusion(combination) {
  return EXCLUSIONS.find(({ holds }) => holds(combination))?.name;
}

/** All cells, in a fixed order, with the number of combinations left out by each rule. */
export function createCells({ every = false } = {}) {
  const cells = [];
  const rules = [...EXCLUSIONS.map(({ name }) => name), ...Object.values(ROTATION)];
  const excluded = Object.fromEntries(rules.map((name) => [name, 0]));
  for (const [stepAt, step] of STEPS.entries()) {
    for (const [faultAt, fault] of Object.keys(FAULTS).entries()) {
      for (const [actionAt, action] of ACTIONS.entries()) {
        const allowed = STATES.map((state) => ({ step, fault, state, action })).filter((combination) => {
          const rule = findExclusion(combination);
          if (rule !== undefined) excluded[rule] += 1;
          return rule === undefined;
        });
        const turn = stepAt + faultAt + actionAt;
        const isPassing = PASSING.includes(fault);
        for (const [at, combination] of allowed.entries()) {
          const isNext = at === turn % allowed.length;
          const rule = isPassing
            ? isChosenPassing({ isNext, state: combination.state, action, turn }) || 'passing'
            : action === 'none' || isNext || 'states';
          if (rule === true || every) cells.push(nameCell(combination));
          else excluded[ROTATION[rule]] += 1;
        }
      }
    }
  }
  return { cells, excluded };
}

function isChosenPassing({ isNext, state, action, turn }) {
  return action === 'none' ? state === 'string' || isNext : isNext && turn % 3 === 0;
}

function nameCell(combination) {
  const { step, fault, state, action } = combination;
  return { name: [step, fault, state, action].join('/'), ...combination };
}

/** The cell of a name; throws for one that there is not. */
export function findCell(name) {
  const [step, fault, state, action] = name.split('/');
  const isKnown =
    STEPS.includes(step) &&
    Object.hasOwn(FAULTS, fault) &&
    STATES.includes(state) &&
    ACTIONS.includes(action);
  if (!isKnown)
    throw new Error(
      `There is no cell "${name}". A name is step/fault/state/action, as in tool-open/sigkill/session/none.`,
    );
  const rule = findExclusion({ step, fault, state, action });
  if (rule !== undefined) throw new Error(`The cell "${name}" is left out: ${rule}.`);
  return nameCell({ step, fault, state, action });
}

/** A part of the cells, the same for the same seed: one of ten, unless told otherwise. */
export function sampleCells(cells, seed, share = 10) {
  const random = createRandom(seed);
  const shuffled = [...cells];
  for (let at = shuffled.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [shuffled[at], shuffled[other]] = [shuffled[other], shuffled[at]];
  }
  return shuffled.slice(0, Math.ceil(cells.length / share));
}

// Mulberry32: small, and the same on every platform.
function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Whether a cell mostly waits for a limit of the host. */
export function waitsLong({ fault }) {
  return FAULTS[fault].kind === 'stays' || fault === 'stdin-closed';
}

/** Milliseconds after which a cell counts as hung, on a quiet machine: ten seconds beyond the waits that are known. */
export function limitOf({ step, fault, action }) {
  const lingers = AT_THE_END.includes(step) && FAULTS[fault].kind === 'stays' ? 10_000 : 0;
  const closed = ['stdout-closed', 'stdin-closed'].includes(fault) ? 5_000 : 0;
  // A reader that is not done with a result keeps the input open.
  const held = ['break', 'slow-reader'].includes(action) ? 5_000 : 0;
  return 10_000 + lingers + closed + held;
}
