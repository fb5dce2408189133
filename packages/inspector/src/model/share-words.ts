// The names of the shares of time, and a text that lists them in one unit.
import type { TimeShares } from '@inboard/core/record/trace/timeline/time-shares.js';

/** A kind of time, with its name, and with its colour, which is the same in every view. */
export interface ShareKind {
  key: keyof TimeShares;
  word: string;
  /** An explanation for the legend. */
  means: string;
  tone: 'model' | 'permission' | 'code' | 'cli' | 'overhead' | 'idle';
}

/** All kinds, in the order in which they are drawn. */
export const SHARE_KINDS: readonly ShareKind[] = [
  { key: 'model', word: 'model', means: 'The model was asked and had not answered.', tone: 'model' },
  {
    key: 'permission',
    word: 'you',
    means: 'A person, or a callback in their place, was asked.',
    tone: 'permission',
  },
  { key: 'code', word: 'your code', means: 'A tool, hook or callback of the program ran.', tone: 'code' },
  { key: 'cliTools', word: 'CLI tools', means: 'A tool of the CLI ran.', tone: 'cli' },
  { key: 'overhead', word: 'overhead', means: 'The CLI started, or worked between these.', tone: 'overhead' },
  { key: 'idle', word: 'idle', means: 'Nothing was asked for.', tone: 'idle' },
];

/** One kind with its time. */
export interface Share extends ShareKind {
  ms: number;
}

/** The shares that are not zero, in the order in which they are drawn. */
export function listShares(shares: TimeShares): Share[] {
  return SHARE_KINDS.map((kind) => ({ ...kind, ms: shares[kind.key] })).filter(({ ms }) => ms > 0);
}

/**
 * `model 12.4 s, you 18.2 s, your code 0.4 s`. Shares that are too small for the unit are left out. With `most`, only that
 * many of the largest are listed.
 */
export function describeShares(shares: TimeShares, most = Infinity): string {
  const all = listShares(shares);
  const unit = chooseUnit(Math.max(0, ...all.map(({ ms }) => ms)));
  const given = all.filter(({ ms }) => ms / unit.ms >= unit.least);
  const largest = new Set([...given].sort((one, other) => other.ms - one.ms).slice(0, most));
  return given
    .filter((share) => largest.has(share))
    .map(({ word, ms }) => `${word} ${inUnit(ms, unit)}`)
    .join(', ');
}

interface Unit {
  word: string;
  ms: number;
  /** The smallest figure that is not shown as zero. */
  least: number;
}

/** The unit for figures that are compared, chosen by the largest of them. */
function chooseUnit(largestMs: number): Unit {
  if (largestMs < 1000) return { word: 'ms', ms: 1, least: 0.5 };
  if (largestMs < 3 * 60_000) return { word: 's', ms: 1000, least: 0.05 };
  if (largestMs < 3 * 3_600_000) return { word: 'min', ms: 60_000, least: 0.05 };
  return { word: 'h', ms: 3_600_000, least: 0.05 };
}

function inUnit(ms: number, { word, ms: size }: Unit): string {
  return size === 1 ? `${Math.round(ms)} ms` : `${Math.round((ms / size) * 10) / 10} ${word}`;
}
