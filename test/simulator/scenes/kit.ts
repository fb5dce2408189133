// What a scene has of its world, and what it tells the judge.
import type { Plan } from '../plan.js';

/** The world, as the code in it may use it. */
export interface Kit {
  readonly plan: Plan;
  /** Virtual milliseconds since it began. */
  now(): number;
  /** The name of the host that runs this. */
  host(): string;
  note(line: string): void;
  createTransport(request: object): never;
  /** A chance of its own. */
  chance(use: string): { next: () => number; below: (limit: number) => number };
  /** A service that all hosts share, as the present host sees it. */
  journal<Journal extends object>(target: Journal, createError: () => Error): Journal;
  dispatcher<Dispatcher extends object>(target: Dispatcher, createError: () => Error): Dispatcher;
  /** What all processes of the scene have: what they would have in a database of their own. */
  readonly shared: { seen?: Seen; desk?: DeskFacts };
  /** Runs as the services do: no fault reaches it. */
  asService<T>(run: () => T): T;
}

/** A run of a tool's handler. */
export interface HandlerRun {
  k: string;
  n: number;
  call: number;
  callKey: string;
  host: string;
  begunAt: number;
  endedAt: number | undefined;
}

/** What the program of a desk keeps about its conversations. */
export interface DeskFacts {
  /** Turns whose message was sent. */
  begun: Set<string>;
  ended: Set<string>;
}

/** What was seen from outside. */
export interface Seen {
  runs: HandlerRun[];
  /** Each decision of a person, and whether it was taken: undefined while nobody knows. */
  answered: {
    k: string;
    n: number;
    call: number;
    id: string;
    behavior: 'allow' | 'deny';
    taken: boolean | undefined;
  }[];
  /** Turns whose message was accepted, in the order of acceptance. */
  sent: { key: string; id: string }[];
  /** What the senders were told. */
  outcomes: { key: string; id: string; kind: string; text: string; ok: boolean }[];
  /** What readers got, by reader and conversation. */
  read: Record<string, number[]>;
  /** The pending calls that a person's host was told of, and how it was told that each was settled. */
  pendings: { host: string; callKey: string; settled: string | undefined }[];
  /** What workers and sessions said of themselves that no calm world has. */
  troubles: string[];
  /** What went wrong in the eyes of the scene itself. */
  complaints: string[];
}

export const createSeen = (): Seen => ({
  runs: [],
  answered: [],
  sent: [],
  outcomes: [],
  read: {},
  pendings: [],
  troubles: [],
  complaints: [],
});

/** A turn that ended, as its record has it. */
export interface EndedTurn {
  key: string;
  n: number;
  state: string;
  ok: boolean;
  kind: string;
  text: string;
  turnCostUsd: number;
}

/** A scene, run by its world. */
export interface Scene {
  readonly seen: Seen;
  /** Starts what a host has to do; called as that host, again after its death. */
  start(role: string): Promise<void>;
  /** Tells a host to end in an orderly way. */
  end(role: string): Promise<void>;
  /** Whether everything that was planned has ended. */
  isSettled(): Promise<boolean>;
  /** What is there at the end. */
  collect(): Promise<{ turns: EndedTurn[]; broken: string[] }>;
}

/** Notes what a watcher of pending calls was told. */
export function notePending(
  { pendings }: Seen,
  host: string,
  callKey: string,
  type: string,
  { how }: { how?: string },
): void {
  const known = pendings.findLast((each) => each.host === host && each.callKey === callKey);
  if (type === 'pending') pendings.push({ host, callKey, settled: undefined });
  else if (type === 'settled' && known) known.settled = how;
}

/** A watcher that lives is told how each pending call was settled. */
export function checkPendings({ pendings }: Seen, isAlive: (host: string) => boolean): string[] {
  return pendings
    .filter(({ host, settled }) => isAlive(host) && settled === undefined)
    .map(({ host, callKey }) => `G12 ${host} was not told that the pending call ${callKey} was settled`);
}
