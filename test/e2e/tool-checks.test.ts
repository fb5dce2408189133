import { forEachCli } from './support/cases.js';
import { newCli } from './support/cli.js';
import { toolCheckCases } from './cases/tool-checks.js';

forEachCli([newCli], toolCheckCases);
