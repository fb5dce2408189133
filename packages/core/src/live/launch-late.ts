// Launches a CLI with a launcher that is loaded at the first launch. The launcher has 90 kB of code and needs
// `node:child_process`, which a program that only imports this package does not need. Once the launcher is loaded, a
// launch does not wait for it, not even for a tick.
import { onFirstUse } from '../util/first-use.js';
import { LateModule } from '../util/late-module.js';
import { loadPart } from '../util/load-part.js';
import type { Launch } from './launch.js';

const launcher = new LateModule(() => loadPart(() => import('./launch.js')));

/** Starts loading the launcher while the caller's tick still checks options. If loading fails, the launch reports that. */
export function loadLauncherEarly(): void {
  if (!launcher.loaded) launcher.load().catch(() => {});
}

// A program that defines a tool starts a CLI soon.
onFirstUse(loadLauncherEarly);

export const launchLate: Launch = async (input) => {
  if (launcher.loaded) return await launcher.loaded.launchCli(input);
  const { launchCli } = await launcher.load();
  // The caller may have given up the CLI while the launcher was loading.
  input.signal?.throwIfAborted();
  return await launchCli(input);
};
