// Stores on both CLIs, as far as they can be used with them.
import { keptCases, leftoverCases } from './cases/leftover.js';
import { mirrorCases, storeCases } from './cases/stores.js';
import { forEachCli } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';

forEachCli([newCli], { ...mirrorCases, ...keptCases });
forEachCli([newCli, oldCli], { ...storeCases, ...leftoverCases });
