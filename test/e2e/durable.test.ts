// Attempts at turns on a ledger, on the newest CLI. The oldest has no session stores, and is refused.
import { durableCases, refusedCases } from './cases/durable.js';
import { forEachCli } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';

forEachCli([newCli], durableCases);
forEachCli([oldCli], refusedCases);
