// Loads the library of an engine on first use. They are optional peers, so one that is missing is an error that says how to install it.
import { PartLoadError } from '@inboard/core/errors.js';
import { LateModule } from '@inboard/core/util/late-module.js';
import { loadPackage } from '@inboard/core/util/load-part.js';
import { messageOf } from '@inboard/core/util/message-of.js';

/** A package that an adapter needs. */
export interface EngineLibraryFacts {
  /** The function that needs it. */
  of: string;
  name: string;
  /** The command that installs it. */
  install: string;
  /** How many file descriptors must be free to load one of its modules. */
  room: number;
}

/** Imports a module of the package, as `loadPackage` of core does. */
export type ImportModule = <Module>(load: () => Promise<Module>) => Promise<Module>;

/**
 * Returns the function that loads a library once. It rejects with a PartLoadError that has the install command if the package is not
 * installed, and tries again at the next call.
 */
export function prepareEngineLibrary<Library>(
  { of, name, install, room }: EngineLibraryFacts,
  load: (importModule: ImportModule) => Promise<Library>,
): () => Promise<Library> {
  const library = new LateModule(() => load((each) => loadPackage({ name, room }, each)));
  return async () => {
    try {
      return await library.load();
    } catch (error) {
      if (error instanceof PartLoadError) throw error;
      throw new PartLoadError(
        'PART_MISSING',
        name,
        `${of} needs the package "${name}", which cannot be loaded: ${messageOf(error)}. Install it with "${install}".`,
        { cause: error },
      );
    }
  };
}
