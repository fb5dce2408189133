import { keptCases, leftoverCases } from './cases/leftover.js';
import { mirrorCases, storeCases } from './cases/stores.js';
import { forEachCli } from './support/cases.js';
import { newCli } from './support/cli.js';

forEachCli([newCli], { ...mirrorCases, ...storeCases, ...leftoverCases, ...keptCases });
