// Stores on both CLIs, as far as they can be used with them.
import { keptCases, leftoverCases } from './cases/leftover.js';
import { mirrorCases, storeCases } from './cases/stores.js';
import { forEachCliInParts } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';

forEachCliInParts([newCli], { ...mirrorCases, ...keptCases });
forEachCliInParts([newCli, oldCli], { ...storeCases, ...leftoverCases });
