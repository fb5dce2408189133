import { continuationCases } from './cases/continuation.js';
import { forEachCli } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';

forEachCli([newCli, oldCli], continuationCases);
