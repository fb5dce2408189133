// How long a CLI that is ended may take to leave, by why it is ended.
import type { Options } from '../options/options.js';
import type { EndCause } from './ending.js';

/** Milliseconds before SIGTERM, and from there to SIGKILL; undefined where the transport decides. */
interface EndGrace {
  graceMs: number | undefined;
  killMs: number | undefined;
}

/** How long a child may take to leave before SIGTERM, where the options do not decide: whoever aborts wants to be rid of it. */
const GRACE_MS: Partial<Record<EndCause['kind'], number>> = {
  aborted: 250,
  abandoned: 0,
  refused: 0,
  lingered: 0,
  wedged: 0,
};
/** The same between SIGTERM and SIGKILL. A CLI that is told to leave would still write down that its turn was stopped; one without a sign of life does nothing any more. */
const KILL_MS: Partial<Record<EndCause['kind'], number>> = { abandoned: 0, refused: 0, wedged: 500 };
/** How long a child that no longer reads may finish what it writes. */
const INPUT_BROKEN_GRACE_MS = 5000;

export function graceOf({ kind }: EndCause, { closeGraceMs, killGraceMs }: Options): EndGrace {
  return { graceMs: GRACE_MS[kind] ?? closeGraceMs, killMs: KILL_MS[kind] ?? killGraceMs };
}

/** Of one that no longer reads its input. */
export function graceWithoutInput({ killGraceMs }: Options): EndGrace {
  return { graceMs: INPUT_BROKEN_GRACE_MS, killMs: killGraceMs };
}
