// Results that come later, on both CLIs.
import { afterAll } from 'vitest';
import { pendingCases, removeBuiltPackage } from './cases/pending-calls.js';
import { forEachCliInParts } from './support/cases.js';
import { allClis } from './support/cli.js';

afterAll(removeBuiltPackage);
forEachCliInParts(allClis, pendingCases);
