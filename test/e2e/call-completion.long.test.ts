import { everyCompletionCase, storedCompletionCases } from './cases/call-completion.js';
import { forEachCli } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';

forEachCli([newCli, oldCli], everyCompletionCase);
forEachCli([newCli], storedCompletionCases);
