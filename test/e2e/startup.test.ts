import { forEachCli } from './support/cases.js';
import { newCli } from './support/cli.js';
import { claimCases, startupCases } from './cases/startup.js';

forEachCli([newCli], { ...startupCases, ...claimCases });
