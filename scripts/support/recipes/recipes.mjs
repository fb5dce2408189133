// The recipes of RECIPES.md as they are played: their steps as data, and what of them is not played.
//   edits    what a step changes: `put` before, after or instead of a text that stands once in the file; `create` for a new file;
//            `every` match of a pattern, which is preceded by a text, replaced by another or raised by `count`; `moveTo` for another path
//   scripts  what a step runs, and the files that it writes
//   red      the tests that must fail without the step; `compiler` is `npm run types`
//   given    edits that are there before the first step
//   isApart  for a recipe whose steps do not fit together with those of the others: it is played by itself
import { CONTROL } from './control.mjs';
import { ERROR, WARNING } from './error.mjs';
import { FORMAT } from './format.mjs';
import { HOOK } from './hook.mjs';
import { LOAD } from './load.mjs';
import { MESSAGE } from './message.mjs';
import { MIGRATION } from './migration.mjs';
import { OPTION } from './option.mjs';
import { PROTOCOL } from './protocol.mjs';
import { RANGE } from './range.mjs';
import { RELEASE } from './release.mjs';
import { RENDERER } from './renderer.mjs';
import { SUBCOMMAND } from './subcommand.mjs';
import { BLOCK, RETURNED } from './tool-result.mjs';

export const PLAYED = [
  OPTION,
  ERROR,
  WARNING,
  CONTROL,
  HOOK,
  MESSAGE,
  RETURNED,
  BLOCK,
  RENDERER,
  MIGRATION,
  SUBCOMMAND,
  LOAD,
  RANGE,
  FORMAT,
  PROTOCOL,
  RELEASE,
];

/** By title, what of a recipe is not played, and why. */
export const NOT_PLAYED = {
  'To add an option':
    'an option that excludes another, and one of the official SDK: they are conditions of their own',
  'To add an error or a warning':
    'a code without a class, and a new file of errors: they are conditions of their own',
  'To add a tool result kind':
    'that long texts of a block are counted, and what a CLI shows that takes it: the supported ones refuse a new block',
  'To add a migration rule':
    'programs that a rule must not report, which no test can miss; the official SDK and real programs, which are installed first',
  'To add a subcommand':
    'one that starts a CLI or takes a tools file: what it then has to use is no step that a test could miss',
  'To load something on first use': 'what a failure means there, which is a decision; a package of others',
  'To raise the supported range':
    'the new CLI itself: its recordings are those of the newest one under another name',
  'To change a stored format': 'the schema of traces, and the line in CHANGELOG.md, which no test can miss',
  'To release':
    'the rehearsal, which is a CI stage of its own; the tag and the publication, which cannot be taken back',
};
