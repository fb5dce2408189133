// What a crash says of its cause, and what to do. Only the card of a crash needs this.
import type { Crash } from './story-item.js';

/** How many lines of standard error are shown. */
const MOST_LINES = 12;

/** What the last lines say about the cause, and what helps. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/ENOSPC|no space left/i, 'The disk is full: free some space, also where temporary files are kept.'],
  [
    /heap out of memory|ENOMEM|cannot allocate/i,
    'Memory ran out: give the machine or the container more, or run fewer sessions at a time.',
  ],
  [
    /EACCES|EPERM|permission denied/i,
    'A file or folder may not be used: check who owns what the last lines name.',
  ],
  [/ENOENT|no such file/i, 'A file or folder is missing: check the one that the last lines name.'],
  [
    /authentication|unauthorized|invalid.{0,12}api key|not logged in|\b401\b/i,
    'The account was not accepted: check the key or log in again.',
  ],
];

/** The last lines of standard error; empty if there were none. */
export function tailOf({ stderrTail = '' }: Crash): string {
  return stderrTail.trimEnd().split('\n').slice(-MOST_LINES).join('\n');
}

/** What to do, the likeliest first. */
export function adviseOn(crash: Crash): string[] {
  const said = `${tailOf(crash)}\n${crash.error?.message ?? ''}`;
  const advice = CAUSES.flatMap(([pattern, help]) => (pattern.test(said) ? [help] : []));
  if (crash.signal === 'SIGKILL')
    advice.push('It was killed from outside, most often by the system because memory ran out.');
  if (advice.length === 0) advice.push('Run npx inboard doctor, which checks the CLI and what it needs.');
  if (crash.sessionId !== undefined)
    advice.push(`The conversation is kept: continue it with the option resume: '${crash.sessionId}'.`);
  return advice;
}
