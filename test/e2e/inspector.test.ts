import { inspectorCases } from './cases/inspector.js';
import { forEachCli } from './support/cases.js';
import { newCli } from './support/cli.js';

forEachCli([newCli], inspectorCases);
