import { forEachCli } from './support/cases.js';
import { newCli } from './support/cli.js';
import { storeCases } from './cases/stores.js';

forEachCli([newCli], storeCases);
