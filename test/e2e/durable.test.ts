// Attempts at turns on a ledger, on the newest CLI; durable.long.test.ts has both.
import { durableCases } from './cases/durable.js';
import { forEachCli } from './support/cases.js';
import { newCli } from './support/cli.js';

forEachCli([newCli], durableCases);
