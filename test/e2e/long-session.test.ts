// Long sessions on the newest CLI; long-session.long.test.ts has all cases on both.
import { longSessionCases } from './cases/long-session.js';
import { forEachCli } from './support/cases.js';
import { newCli } from './support/cli.js';

forEachCli([newCli], longSessionCases);
