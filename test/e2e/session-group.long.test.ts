// Session groups on both CLIs.
import { sessionGroupCases, sessionGroupLongCases } from './cases/session-group.js';
import { forEachCli } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';

forEachCli([newCli, oldCli], { ...sessionGroupCases, ...sessionGroupLongCases });
