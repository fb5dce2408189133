// Whether the fake CLI is honest, in the manners of both versions.
import { newestParityCases, parityCases } from './cases/parity.js';
import { forEachCli } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';

forEachCli([newCli, oldCli], parityCases);
forEachCli([newCli], newestParityCases);
