// Accounts and networks on the newest CLI: docs/accounts.md tells what is shown here.
import { accountCases } from './cases/accounts.js';
import { forEachCli } from './support/cases.js';
import { newCli } from './support/cli.js';

forEachCli([newCli], accountCases);
