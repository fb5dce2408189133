// Hooks on the newest CLI, a sample of them; hooks.long.test.ts has these and more on both.
import { hookFailureCases } from './cases/hook-failure.js';
import { hookGuardCases } from './cases/hook-guards.js';
import { hookCases } from './cases/hooks.js';
import { forEachCliSampled } from './support/cases.js';
import { newCli } from './support/cli.js';

const GUARDS = [
  'counts a guard that fails as a no',
  'takes a refusal for one even where the CLI would not',
  'puts a call off until the session is resumed',
];

forEachCliSampled([newCli], {
  ...hookCases,
  ...hookFailureCases,
  ...Object.fromEntries(Object.entries(hookGuardCases).filter(([title]) => GUARDS.includes(title))),
});
