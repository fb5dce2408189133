import { sessionDataCases } from './cases/session-data.js';
import { forEachCli } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';

forEachCli([newCli, oldCli], sessionDataCases);
