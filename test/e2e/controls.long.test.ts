// What controls bring about and what servers ask, on both CLIs.
import { controlEffectCases } from './cases/controls-effects.js';
import { extraControlCases, slowControlCases } from './cases/controls-extra.js';
import { elicitationCases, noElicitationCases } from './cases/elicitation.js';
import { forEachCliInParts } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';

forEachCliInParts([newCli, oldCli], controlEffectCases);
forEachCliInParts([newCli], { ...extraControlCases, ...slowControlCases, ...elicitationCases });
forEachCliInParts([oldCli], noElicitationCases);
