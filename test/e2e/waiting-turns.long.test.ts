// Turns that wait without a CLI, on both CLIs. The oldest loses all but the first of several calls of one message.
import { waitingManyCases, waitingTurnCases } from './cases/waiting-turns.js';
import { forEachCliInParts } from './support/cases.js';
import { allClis, newCli } from './support/cli.js';

forEachCliInParts(allClis, waitingTurnCases);
forEachCliInParts([newCli], waitingManyCases);
