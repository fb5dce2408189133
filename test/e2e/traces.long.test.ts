// Recording and replaying on both CLIs, and hosts that are killed while they record.
import { traceCases } from './cases/traces.js';
import { forEachCli } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';

forEachCli([newCli, oldCli], traceCases);
