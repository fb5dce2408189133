// Completed calls: the cheap part; call-completion.long.test.ts has every recording on both CLIs.
import { completionCases, replacementCases, storedCompletionCases } from './cases/call-completion.js';
import { forEachCli } from './support/cases.js';
import { allClis, newCli } from './support/cli.js';

forEachCli(allClis, replacementCases);
forEachCli([newCli], { ...completionCases, ...storedCompletionCases });
