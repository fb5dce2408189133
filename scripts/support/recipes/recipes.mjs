// The recipes of RECIPES.md that are played, their steps as data, and those that are not played yet.
//   edits   what a step changes: `put` before or after a text that stands once in the file, `create` for a new file, or `every`
//           match of a pattern, which is preceded by a text or raised by `count`
//   script  what a step runs instead, and the files that it writes
//   red     the tests that must fail without the step; `compiler` is `npm run types`
import { ERROR, WARNING } from './error.mjs';
import { OPTION } from './option.mjs';

export const PLAYED = [OPTION, ERROR, WARNING];

/** By title, why a recipe is not played. A recipe that is played must leave the list. */
export const NOT_PLAYED = {
  'To add a control method': 'its steps are not written as data yet; one records on the real CLI',
  'To add a hook event': 'its steps are not written as data yet',
  'To add a message type': 'its steps are not written as data yet; one records on the real CLI',
  'To add a tool result kind': 'its steps are not written as data yet',
  'To add a trace renderer': 'its steps are not written as data yet',
  'To add a migration rule': 'its steps are not written as data yet',
  'To add a subcommand': 'its steps are not written as data yet',
  'To load something on first use': 'its steps are not written as data yet',
  'To raise the supported range': 'needs another CLI',
  'To change a stored format': 'its steps are not written as data yet',
  'To record the protocol anew': 'needs the real CLIs',
  'To release': 'ends with a publication',
};
