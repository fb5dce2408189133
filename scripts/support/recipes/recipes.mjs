// The recipes of RECIPES.md as they are played: their steps as data, and what of them is not played.
//   edits   what a step changes: `put` before, after or instead of a text that stands once in the file; `create` for a new file;
//           `every` match of a pattern, which is preceded by a text, replaced by another or raised by `count`; `moveTo` for another path
//   scripts what a step runs, and the files that it writes
//   red     the tests that must fail without the step; `compiler` is `npm run types`
import { CONTROL } from './control.mjs';
import { ERROR, WARNING } from './error.mjs';
import { HOOK } from './hook.mjs';
import { MESSAGE } from './message.mjs';
import { OPTION } from './option.mjs';

export const PLAYED = [OPTION, ERROR, WARNING, CONTROL, HOOK, MESSAGE];

/** By title, what of a recipe is not played, and why. */
export const NOT_PLAYED = {};
