// What the model sees of a result that the host writes for the CLI, on both CLIs.
import { shownResultCases } from './cases/shown-results.js';
import { forEachCli } from './support/cases.js';
import { allClis } from './support/cli.js';

forEachCli(allClis, shownResultCases);
