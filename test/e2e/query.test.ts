// A sample of the query room on the newest CLI; query.long.test.ts has these cases and those of system prompts on both.
import { callbackCases } from './cases/callbacks.js';
import { controlCases } from './cases/controls.js';
import { queryEndCases } from './cases/query-ends.js';
import { sessionCases } from './cases/sessions.js';
import { turnEndCases } from './cases/turn-ends.js';
import { turnCases } from './cases/turns.js';
import { unaskedCases } from './cases/unasked.js';
import { forEachCliSampled } from './support/cases.js';
import { newCli } from './support/cli.js';

forEachCliSampled([newCli], {
  ...turnCases,
  ...turnEndCases,
  ...sessionCases,
  ...queryEndCases,
  ...callbackCases,
  ...controlCases,
  ...unaskedCases,
});
