import { forEachCli } from './support/cases.js';
import { newCli } from './support/cli.js';
import { pastSessionCases } from './cases/past-sessions.js';

forEachCli([newCli], pastSessionCases);
