// Session groups on the newest CLI; session-group.long.test.ts has all cases on both.
import { sessionGroupCases } from './cases/session-group.js';
import { forEachCli } from './support/cases.js';
import { newCli } from './support/cli.js';

forEachCli([newCli], sessionGroupCases);
