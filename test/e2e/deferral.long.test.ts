// Deferred calls; CLI 2.1.33 does not know them.
import { afterAll } from 'vitest';
import { deferralCases, removeBuiltHost } from './cases/deferral.js';
import { forEachCli } from './support/cases.js';
import { newCli } from './support/cli.js';

afterAll(removeBuiltHost);
forEachCli([newCli], deferralCases);
