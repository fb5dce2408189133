// What controls bring about, on the newest CLI, a sample of them; controls.long.test.ts has the rest, on both.
import { controlEffectCases } from './cases/controls-effects.js';
import { extraControlCases } from './cases/controls-extra.js';
import { forEachCliSampled } from './support/cases.js';
import { newCli } from './support/cli.js';

forEachCliSampled([newCli], { ...controlEffectCases, ...extraControlCases });
