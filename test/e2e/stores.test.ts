import { forEachCli } from './support/cases.js';
import { newCli } from './support/cli.js';
import { mirrorCases, storeCases } from './cases/stores.js';

forEachCli([newCli], { ...mirrorCases, ...storeCases });
