// What time is spent on, in the order it is drawn in, as people read it.
import type { TimeShares } from '../../../record/trace/timeline/time-shares.js';

/** Each share, its name, and the tone that stands for it. */
export const SHARES = [
  { share: 'model', name: 'Model', tone: 'model' },
  { share: 'permission', name: 'Waiting for a person', tone: 'permission' },
  { share: 'code', name: 'Your code', tone: 'code' },
  { share: 'cliTools', name: 'Tools of the CLI', tone: 'cli' },
  { share: 'overhead', name: 'CLI overhead', tone: 'overhead' },
  { share: 'idle', name: 'Idle', tone: 'idle' },
] as const satisfies readonly { share: keyof TimeShares; name: string; tone: string }[];
