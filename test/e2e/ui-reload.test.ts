// A page that is reloaded after its server was killed, a sample on the newest CLI; ui-reload.long.test.ts has all, on both.
import { afterAll } from 'vitest';
import { removeBuiltServer, uiReloadCases } from './cases/ui-reload.js';
import { forEachCliSampled } from './support/cases.js';
import { newCli } from './support/cli.js';

afterAll(removeBuiltServer);
forEachCliSampled([newCli], uiReloadCases);
