// Recording and replaying on the newest CLI; traces.long.test.ts has the same cases on both.
import { traceCases } from './cases/traces.js';
import { forEachCli } from './support/cases.js';
import { newCli } from './support/cli.js';

forEachCli([newCli], traceCases);
