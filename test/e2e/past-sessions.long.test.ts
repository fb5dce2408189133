// Past sessions on both CLIs: every case there is.
import { forEachCli } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';
import { pastSessionCases } from './cases/past-sessions.js';

forEachCli([newCli, oldCli], pastSessionCases);
