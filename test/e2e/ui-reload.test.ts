// A page that is reloaded after its server was killed, on the newest CLI.
import { afterAll } from 'vitest';
import { removeBuiltServer, uiReloadCases } from './cases/ui-reload.js';
import { forEachCli } from './support/cases.js';
import { newCli } from './support/cli.js';

afterAll(removeBuiltServer);
forEachCli([newCli], uiReloadCases);
