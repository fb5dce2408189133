// A page that is reloaded after its server was killed, on both CLIs.
import { afterAll } from 'vitest';
import { removeBuiltServer, uiReloadCases } from './cases/ui-reload.js';
import { forEachCliInParts } from './support/cases.js';
import { allClis } from './support/cli.js';

afterAll(removeBuiltServer);
forEachCliInParts(allClis, uiReloadCases);
