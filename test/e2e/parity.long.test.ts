// Whether the fake CLI is honest, in the manners of both versions.
import { allParityCases } from './cases/parity.js';
import { forEachCli } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';

forEachCli([newCli, oldCli], allParityCases);
