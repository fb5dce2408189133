// Permissions on the newest CLI; permissions.long.test.ts has these and more on both.
import { permissionCases } from './cases/permissions.js';
import { forEachCli } from './support/cases.js';
import { newCli } from './support/cli.js';

forEachCli([newCli], permissionCases);
