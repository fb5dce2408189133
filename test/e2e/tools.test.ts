// In-process tools on the newest CLI, a sample of them; tools.long.test.ts has the same cases on both.
import { handshakeCases } from './cases/handshakes.js';
import { toolEndCases } from './cases/tool-ends.js';
import { toolResultCases } from './cases/tool-results.js';
import { toolServerCases } from './cases/tool-servers.js';
import { toolCases } from './cases/tools.js';
import { forEachCliSampled } from './support/cases.js';
import { newCli } from './support/cli.js';

forEachCliSampled([newCli], {
  ...toolCases,
  ...toolResultCases,
  ...toolEndCases,
  ...toolServerCases,
  ...handshakeCases,
});
