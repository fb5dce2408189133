// Long sessions on both CLIs.
import { longSessionCases, longSessionLongCases } from './cases/long-session.js';
import { forEachCliInParts } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';

forEachCliInParts([newCli, oldCli], { ...longSessionCases, ...longSessionLongCases });
