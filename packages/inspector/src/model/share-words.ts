// The names of the shares of time, and a text that lists them.
import { formatDuration } from './format.js';
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

/** Shares that are so much smaller than the largest one are left out of a sentence: the bar does not show them either. */
const TOO_SMALL = 1 / 500;

/**
 * `model 12.4 s, you 18.2 s, your code 400 ms`, each as it is written everywhere else. With `most`, only that many of the largest
 * are listed.
 */
export function describeShares(shares: TimeShares, most = Infinity): string {
  const all = listShares(shares);
  const bySize = all.map(({ ms }) => ms).sort((one, other) => other - one);
  const least = Math.max((bySize[0] ?? 0) * TOO_SMALL, bySize[most - 1] ?? 0, 0.05);
  return all
    .filter(({ ms }) => ms >= least)
    .slice(0, most)
    .map(({ word, ms }) => `${word} ${formatDuration(ms)}`)
    .join(', ');
}
