import { elicitationCases } from './cases/elicitation.js';
import { forEachCli } from './support/cases.js';
import { newCli } from './support/cli.js';

forEachCli([newCli], elicitationCases);
