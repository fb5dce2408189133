// The query room on both CLIs: every case there is.
import { callbackCases } from './cases/callbacks.js';
import { controlCases } from './cases/controls.js';
import { promptCases } from './cases/prompts.js';
import { queryEndCases, wedgedCases } from './cases/query-ends.js';
import { sessionCases } from './cases/sessions.js';
import { turnEndCases } from './cases/turn-ends.js';
import { turnCases } from './cases/turns.js';
import { unaskedCases } from './cases/unasked.js';
import { forEachCliInParts } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';

forEachCliInParts([newCli, oldCli], {
  ...turnCases,
  ...turnEndCases,
  ...sessionCases,
  ...queryEndCases,
  ...wedgedCases,
  ...promptCases,
  ...callbackCases,
  ...controlCases,
  ...unaskedCases,
});
