// Whether the fake CLI is honest, on the newest version; parity.long.test.ts asks it of both.
import { parityCases } from './cases/parity.js';
import { forEachCli } from './support/cases.js';
import { newCli } from './support/cli.js';

forEachCli([newCli], parityCases);
