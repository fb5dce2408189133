// What a run is made of: conversations with their turns, hosts, and faults with their times. A seed makes it; less of it can be run with the
// same seed, and all other choices then stay as they were where nothing else decides them.
import { createChance, type Chance } from '../official/chance.js';

export const FAULTS = ['kill', 'freeze', 'cut', 'cli', 'disk', 'drain', 'journal', 'skew', 'lost'] as const;
export type FaultKind = (typeof FAULTS)[number];

export interface PlannedFault {
  kind: FaultKind;
  /** Milliseconds from the beginning; with a point, the time after which it does not come any more. */
  at: number;
  /** The moment instead of a time: when the log of the world has had so many lines that begin with this. */
  point?: { line: string; times: number } | undefined;
  forMs: number;
  /** The name of a host, or the number of a CLI among those that run. */
  host: string;
}

export interface PlannedTurn {
  n: number;
  /** Milliseconds from the turn before, or from the beginning. */
  afterMs: number;
  /** One call after another, of which the first is asked about; or all together, each asked about. */
  together: boolean;
  calls: number;
  asks: boolean;
  /** How long the model takes to answer, and each call. */
  ms: number;
  /** The calls that a person denies, those that are pending, and how long a person takes. */
  denied: number[];
  pending: number[];
  answerMs: number;
}

export interface PlannedConversation {
  key: string;
  turns: PlannedTurn[];
}

export type Repeat = 'unknown' | 'recorded' | 'run';

export interface Plan {
  seed: number;
  scene: 'cluster' | 'desk';
  /** Whether nothing goes wrong, and each conversation can keep its CLI. */
  isCalm: boolean;
  conversations: PlannedConversation[];
  workers: number;
  dispatcher: 'own' | 'shared';
  onRepeat: Repeat;
  work: { leaseMs: number; suspendAfterMs: number; keepWarmMs: number; drainMs: number; concurrency: number };
  faults: PlannedFault[];
  /** How often wakes are lost and doubled until the faults are over. */
  lostWakes: number;
  doubledWakes: number;
}

/** What a run may be made of. */
export interface PlanLimits {
  faults?: readonly FaultKind[] | undefined;
  scene?: Plan['scene'] | undefined;
}

const WEIGHTS: Readonly<Record<Plan['scene'], readonly FaultKind[]>> = {
  cluster: ['kill', 'kill', 'freeze', 'freeze', 'cut', 'cut', 'cli', 'drain', 'journal', 'skew', 'disk'],
  desk: ['kill', 'kill', 'kill', 'cli', 'cli', 'freeze', 'disk'],
};
/** What a moment is for: the other faults last too long to hit one. */
const SUDDEN: Readonly<Record<Plan['scene'], readonly FaultKind[]>> = {
  cluster: ['kill', 'kill', 'kill', 'freeze', 'freeze', 'cut', 'lost', 'lost', 'cli', 'drain'],
  desk: ['kill', 'kill', 'kill', 'cli', 'cli', 'freeze', 'disk'],
};

/** How many worlds are calm. */
const CALM_SHARE = 0.12;

/** The plan of a seed. */
export function createPlan(seed: number, { faults = FAULTS, scene }: PlanLimits = {}): Plan {
  const chance = createChance(seed * 2_654_435_761);
  const drawn = chance.next() < 0.7 ? 'cluster' : 'desk';
  const chosen = scene ?? drawn;
  const workers = chosen === 'desk' ? 1 : 1 + chance.below(3);
  const conversations = chance.list(1 + chance.below(chosen === 'desk' ? 2 : 4), (index) => ({
    key: `c${index}`,
    turns: chance.list(1 + chance.below(3), (turn) => planTurn(turn + 1, chance)),
  }));
  const names = chance.list(workers, (index) => `w${index + 1}`);
  const count = chance.below(9);
  const leaseMs = chance.pick([1500, 3e3, 1e4]);
  const planned = chance.list(count, () => planFault({ scene: chosen, names, leaseMs }, chance));
  const isShared = chance.next() < 0.5;
  const isCalm = chance.next() < CALM_SHARE;
  const plan: Plan = {
    seed,
    scene: chosen,
    isCalm,
    conversations,
    workers,
    dispatcher: isShared ? 'shared' : 'own',
    onRepeat: chance.pick(['unknown', 'unknown', 'recorded', 'recorded', 'run'] as const),
    work: {
      leaseMs,
      suspendAfterMs: chance.pick([50, 700, 5e3, 6e5, 6e5]),
      keepWarmMs: chance.pick([0, 300, 2e4]),
      drainMs: chance.pick([0, 500, 5e3]),
      concurrency: chance.pick([1, 2, 4]),
    },
    faults: planned.filter(({ kind }) => faults.includes(kind)),
    lostWakes: isShared ? chance.pick([0, 0.1, 0.5]) : 0,
    doubledWakes: chance.pick([0, 0.2, 0.5]),
  };
  return isCalm ? calm(plan) : plan;
}

function calm(plan: Plan): Plan {
  const soon = (turn: PlannedTurn): PlannedTurn => ({ ...turn, afterMs: Math.min(turn.afterMs, 2000) });
  return {
    ...plan,
    conversations: plan.conversations.map(({ key, turns }) => ({ key, turns: turns.map(soon) })),
    work: { ...plan.work, suspendAfterMs: 36e5, keepWarmMs: 20_000, concurrency: 4 },
    faults: [],
    lostWakes: 0,
    doubledWakes: 0,
  };
}

function planTurn(n: number, chance: Chance): PlannedTurn {
  const calls = chance.below(4);
  const together = calls > 0 && chance.next() < 0.5;
  const some = (probability: number): number[] =>
    chance.list(calls, (index) => index).filter(() => chance.next() < probability);
  const isSlow = chance.next() < 0.02;
  return {
    n,
    together,
    calls,
    afterMs: chance.pick([0, 0, 200, 2e3, 3e4]),
    asks: chance.next() < 0.7,
    ms: chance.pick([5, 50, 300]),
    denied: some(0.15),
    pending: some(0.15),
    answerMs: isSlow ? 6e4 * (1 + chance.below(15)) : chance.pick([5, 100, 1500, 8e3]),
  };
}

/** Lines of a world at which things go wrong worst: between a commit and its answer, and right before something goes on. */
const POINTS: Readonly<Record<Plan['scene'], readonly string[]>> = {
  cluster: [
    'next',
    'beginCall',
    'endCall',
    'ask',
    'park',
    'finishAndNext',
    'append',
    'publish',
    'release',
    'lease',
    'load',
    'beginCall',
    'endCall',
    'ask',
    'park',
    'finishAndNext',
  ]
    .flatMap((name) => [`journal ${name} of w`, `journal ${name} answers`])
    .concat(['run ', 'run ', 'ran ', 'ran ']),
  desk: [
    'run ',
    'run ',
    'ran ',
    'turn ',
    'spawn',
    'start w1',
    'start w1',
    'disk link',
    'disk writeFile',
    'disk open',
    'disk read',
    'disk stat',
    'to w1',
  ],
};
/** What others do, at which moment a worker may be away, or they themselves. */
const UNHEARD = 'journal answer of p';
const OTHERS = [UNHEARD, UNHEARD, 'journal enqueue of s', 'journal events of r'];
const LATEST_MS = 20_000;

function planPoint(scene: Plan['scene'], chance: Chance): NonNullable<PlannedFault['point']> {
  const line = scene === 'cluster' && chance.next() < 0.2 ? chance.pick(OTHERS) : chance.pick(POINTS[scene]);
  return { line, times: 1 + chance.below(/disk|to w/.test(line) ? 60 : 4) };
}

function planFault(
  { scene, names, leaseMs }: { scene: Plan['scene']; names: readonly string[]; leaseMs: number },
  chance: Chance,
): PlannedFault {
  const point = chance.next() < 0.65 ? planPoint(scene, chance) : undefined;
  const isUnheard = point?.line === UNHEARD && chance.next() < 0.5;
  // What a CLI says from its start on waits for a host that stands still.
  const isLate = point?.line === 'start w1' && chance.next() < 0.5;
  const kind = isUnheard ? 'cut' : isLate ? 'freeze' : chance.pick(point ? SUDDEN[scene] : WEIGHTS[scene]);
  const longest = { kill: 4000, cli: 1, lost: 1, disk: 10_000, drain: 3000, journal: 8000, skew: 1 };
  const at = Math.floor(chance.next() ** 2 * LATEST_MS);
  // What is away comes back while it still has its lease, or shortly before or after it is over, or much later.
  const away = chance.pick([leaseMs / 2, 1.5 * leaseMs, 20_000]);
  const other = chance.pick(['s', 'p', 'r']);
  const isOther = scene === 'cluster' && ['kill', 'cut', 'lost'].includes(kind) && chance.next() < 0.2;
  return {
    kind,
    at: point ? LATEST_MS : at,
    point,
    forMs: 1 + chance.below(kind === 'freeze' || kind === 'cut' ? away : longest[kind]),
    host: kind === 'cli' ? String(chance.below(100)) : isOther ? other : chance.pick(names),
  };
}

/** When the last fault is over. */
export function endOfFaults({ faults }: Plan): number {
  return Math.max(0, ...faults.map(({ at, forMs }) => at + forMs));
}
