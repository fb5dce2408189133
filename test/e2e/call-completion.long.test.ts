import { everyCompletionCase, storedCompletionCases } from './cases/call-completion.js';
import { forEachCliInParts } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';

forEachCliInParts([newCli, oldCli], everyCompletionCase);
forEachCliInParts([newCli], storedCompletionCases);
