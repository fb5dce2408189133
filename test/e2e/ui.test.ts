import { uiCases } from './cases/ui.js';
import { forEachCli } from './support/cases.js';
import { newCli } from './support/cli.js';

forEachCli([newCli], uiCases);
