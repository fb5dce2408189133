// What the model sees of a result that the host writes for the CLI: a live call is the measure. shown-results.long.test.ts has the
// same cases on both CLIs.
import { shownResultCases } from './cases/shown-results.js';
import { forEachCli } from './support/cases.js';
import { newCli } from './support/cli.js';

forEachCli([newCli], shownResultCases);
