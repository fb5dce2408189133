// In-process tools on both CLIs: every case there is.
import { handshakeCases } from './cases/handshakes.js';
import { toolEndCases } from './cases/tool-ends.js';
import { toolResultCases } from './cases/tool-results.js';
import { toolServerCases } from './cases/tool-servers.js';
import { toolCases } from './cases/tools.js';
import { forEachCliInParts } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';

forEachCliInParts([newCli, oldCli], {
  ...toolCases,
  ...toolResultCases,
  ...toolEndCases,
  ...toolServerCases,
  ...handshakeCases,
});
