// Warm pools on the newest CLI; warm-pool.long.test.ts has all cases on both.
import { warmPoolCases } from './cases/warm-pool.js';
import { forEachCli } from './support/cases.js';
import { newCli } from './support/cli.js';

forEachCli([newCli], warmPoolCases);
