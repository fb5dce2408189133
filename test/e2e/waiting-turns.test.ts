// Turns that wait without a CLI, a sample on the newest CLI; waiting-turns.long.test.ts has all, on both.
import { waitingManyCases, waitingTurnCases } from './cases/waiting-turns.js';
import { forEachCliSampled } from './support/cases.js';
import { newCli } from './support/cli.js';

forEachCliSampled([newCli], { ...waitingTurnCases, ...waitingManyCases });
