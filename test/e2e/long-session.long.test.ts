// Long sessions on both CLIs.
import { longSessionCases, longSessionLongCases } from './cases/long-session.js';
import { forEachCli } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';

forEachCli([newCli, oldCli], { ...longSessionCases, ...longSessionLongCases });
