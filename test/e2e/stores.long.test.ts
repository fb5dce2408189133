// Stores on both CLIs, as far as they can be used with them.
import { forEachCli } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';
import { mirrorCases, storeCases } from './cases/stores.js';

forEachCli([newCli], mirrorCases);
forEachCli([newCli, oldCli], storeCases);
