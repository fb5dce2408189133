// Attempts at turns on a ledger, on the newest CLI.
import { durableCases } from './cases/durable.js';
import { forEachCliInParts } from './support/cases.js';
import { newCli } from './support/cli.js';

forEachCliInParts([newCli], durableCases);
