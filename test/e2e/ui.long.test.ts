import { uiCases } from './cases/ui.js';
import { forEachCli } from './support/cases.js';
import { oldCli } from './support/cli.js';

forEachCli([oldCli], uiCases);
