// A sample of the attempts at turns on a ledger, on the newest CLI; durable.long.test.ts has all. The oldest has no session stores,
// and is refused.
import { durableCases, refusedCases } from './cases/durable.js';
import { forEachCli, forEachCliSampled } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';

forEachCliSampled([newCli], durableCases);
forEachCli([oldCli], refusedCases);
