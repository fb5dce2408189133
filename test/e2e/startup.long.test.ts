// CLIs that are started before there is a prompt, on both versions.
import { claimCases, refusedClaimCases, startupCases, unclaimableCases } from './cases/startup.js';
import { forEachCli } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';

forEachCli([newCli, oldCli], startupCases);
forEachCli([newCli], { ...claimCases, ...refusedClaimCases });
forEachCli([oldCli], unclaimableCases);
