// Permissions on both CLIs: every case there is.
import { permissionUpdateCases } from './cases/permission-updates.js';
import { permissionCases, slowPermissionCases } from './cases/permissions.js';
import { forEachCliInParts } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';

forEachCliInParts([newCli, oldCli], { ...permissionCases, ...permissionUpdateCases, ...slowPermissionCases });
