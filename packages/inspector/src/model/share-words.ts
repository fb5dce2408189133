// Where the time went, in words: the names of the shares, and one sentence with one unit for all of them.
import type { TimeShares } from '@inboard/core/record/trace/timeline/time-shares.js';

/** A kind of time: what it is called, and whose colour it has in every view. */
export interface ShareKind {
  key: keyof TimeShares;
  word: string;
  /** What it means, for a legend. */
  means: string;
  tone: 'model' | 'permission' | 'code' | 'cli' | 'overhead' | 'idle';
}

/** In the order in which they are drawn. */
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

/** Those that took any time, in the order in which they are drawn. */
export function listShares(shares: TimeShares): Share[] {
  return SHARE_KINDS.map((kind) => ({ ...kind, ms: shares[kind.key] })).filter(({ ms }) => ms > 0);
}

/**
 * `model 12.4 s, you 18.2 s, your code 0.4 s`: what is too little for the unit is left out. Only the largest when `most` says how
 * many.
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
  /** Below it nothing would be seen of a figure. */
  least: number;
}

/** One unit for figures that are compared: that of the largest of them. */
function chooseUnit(largestMs: number): Unit {
  if (largestMs < 1000) return { word: 'ms', ms: 1, least: 0.5 };
  if (largestMs < 3 * 60_000) return { word: 's', ms: 1000, least: 0.05 };
  if (largestMs < 3 * 3_600_000) return { word: 'min', ms: 60_000, least: 0.05 };
  return { word: 'h', ms: 3_600_000, least: 0.05 };
}

function inUnit(ms: number, { word, ms: size }: Unit): string {
  return size === 1 ? `${Math.round(ms)} ms` : `${Math.round((ms / size) * 10) / 10} ${word}`;
}
