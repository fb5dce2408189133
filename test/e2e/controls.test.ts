// What controls bring about, on the newest CLI; controls.long.test.ts has the rest, on both.
import { controlEffectCases } from './cases/controls-effects.js';
import { extraControlCases } from './cases/controls-extra.js';
import { forEachCli } from './support/cases.js';
import { newCli } from './support/cli.js';

forEachCli([newCli], { ...controlEffectCases, ...extraControlCases });
