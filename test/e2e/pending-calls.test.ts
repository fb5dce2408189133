// Results that come later, a sample on the newest CLI; pending-calls.long.test.ts has all, on both.
import { afterAll } from 'vitest';
import { pendingCases, removeBuiltPackage } from './cases/pending-calls.js';
import { forEachCliSampled } from './support/cases.js';
import { newCli } from './support/cli.js';

afterAll(removeBuiltPackage);
forEachCliSampled([newCli], pendingCases);
