// Long sessions on the newest CLI, a sample of them; long-session.long.test.ts has all cases on both.
import { longSessionCases } from './cases/long-session.js';
import { forEachCliSampled } from './support/cases.js';
import { newCli } from './support/cli.js';

forEachCliSampled([newCli], longSessionCases);
