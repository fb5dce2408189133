// What the model sees of a result that the host writes for the CLI, on both CLIs: a live call is the measure. Recordings of these
// calls are compared in packages/core/test/calls/result, without a CLI.
import { shownResultCases } from './cases/shown-results.js';
import { forEachCli } from './support/cases.js';
import { allClis } from './support/cli.js';

forEachCli(allClis, shownResultCases);
