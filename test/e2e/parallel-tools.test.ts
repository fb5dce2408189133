// Parallel tools on the newest CLI; parallel-tools.long.test.ts has these on both.
import { parallelToolCases, slowParallelToolCases } from './cases/parallel-tools.js';
import { forEachCli } from './support/cases.js';
import { newCli } from './support/cli.js';

forEachCli([newCli], { ...parallelToolCases, ...slowParallelToolCases });
