// Warm pools on both CLIs.
import { warmPoolCases, warmPoolLongCases } from './cases/warm-pool.js';
import { forEachCli } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';

forEachCli([newCli, oldCli], { ...warmPoolCases, ...warmPoolLongCases });
