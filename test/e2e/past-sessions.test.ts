import { forEachCliSampled } from './support/cases.js';
import { newCli } from './support/cli.js';
import { pastSessionCases } from './cases/past-sessions.js';

forEachCliSampled([newCli], pastSessionCases);
