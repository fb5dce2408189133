// Parallel tools on both CLIs.
import { parallelToolCases, slowParallelToolCases } from './cases/parallel-tools.js';
import { forEachCliInParts } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';

forEachCliInParts([newCli, oldCli], { ...parallelToolCases, ...slowParallelToolCases });
