import { keptCases, leftoverCases } from './cases/leftover.js';
import { mirrorCases, storeCases } from './cases/stores.js';
import { forEachCliSampled } from './support/cases.js';
import { newCli } from './support/cli.js';

forEachCliSampled([newCli], { ...mirrorCases, ...storeCases, ...leftoverCases, ...keptCases });
