// CLIs whose host dies, on both versions.
import { afterAll } from 'vitest';
import { hostDeathCases, removeBuiltHost } from './cases/host-death.js';
import { forEachCli } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';

afterAll(removeBuiltHost);
forEachCli([newCli, oldCli], hostDeathCases);
