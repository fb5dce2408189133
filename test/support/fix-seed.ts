// Runs in every file that may have property tests: those that name no seed have the one of `seed.ts`, too, so that one that fails
// does so again, and one that passed does not fail by chance.
import * as fc from 'fast-check';
import { propertyOptions } from './seed.js';

const { seed } = propertyOptions(1);
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
