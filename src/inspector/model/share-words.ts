// Where the time went, in words: the names of the shares, and one sentence with one unit for all of them.
import type { TimeShares } from '../../record/trace/timeline/time-shares.js';

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

/** `model 12.4 s, you 18.2 s, your code 0.4 s`; only the largest when `most` says how many. */
export function describeShares(shares: TimeShares, most = Infinity): string {
  const given = listShares(shares);
  const unit = chooseUnit(Math.max(0, ...given.map(({ ms }) => ms)));
  const largest = new Set([...given].sort((one, other) => other.ms - one.ms).slice(0, most));
  return given
    .filter((share) => largest.has(share))
    .map(({ word, ms }) => `${word} ${inUnit(ms, unit)}`)
    .join(', ');
}

interface Unit {
  word: string;
  ms: number;
}

/** One unit for figures that are compared: that of the largest of them. */
function chooseUnit(largestMs: number): Unit {
  if (largestMs < 1000) return { word: 'ms', ms: 1 };
  if (largestMs < 3 * 60_000) return { word: 's', ms: 1000 };
  return largestMs < 3 * 3_600_000 ? { word: 'min', ms: 60_000 } : { word: 'h', ms: 3_600_000 };
}

function inUnit(ms: number, { word, ms: size }: Unit): string {
  const value = ms / size;
  if (size === 1) return value < 0.5 ? '<1 ms' : `${Math.round(value)} ms`;
  return value < 0.05 ? `<0.1 ${word}` : `${Math.round(value * 10) / 10} ${word}`;
}
