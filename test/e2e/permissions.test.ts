// Permissions on the newest CLI; permissions.long.test.ts has these and more on both.
import { permissionCases } from './cases/permissions.js';
import { forEachCli } from './support/cases.js';
import { newCli } from './support/cli.js';

const QUICK = [
  'ends the turn with a denial that says so',
  'denies when the callback makes no sense',
  'answers later, by id, in any order',
  'answers the questions of the model',
];

forEachCli(
  [newCli],
  Object.fromEntries(Object.entries(permissionCases).filter(([title]) => QUICK.includes(title))),
);
