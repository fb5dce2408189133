// Hooks on both CLIs: every case there is.
import { hookFailureCases } from './cases/hook-failure.js';
import { hookGuardCases } from './cases/hook-guards.js';
import { hookMatcherCases } from './cases/hook-matchers.js';
import { hookCases } from './cases/hooks.js';
import { forEachCliInParts } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';

forEachCliInParts([newCli, oldCli], {
  ...hookCases,
  ...hookFailureCases,
  ...hookGuardCases,
  ...hookMatcherCases,
});
