// The folders that code of this program comes from: this package's own, that of the program's main file, and that of a
// program compiled to one file. A CLI installed there is trusted like the code beside it.
import { fileURLToPath } from 'node:url';
import type { OperatingSystem } from '../operating-system.js';
import { detectHostRuntime } from './host-runtime.js';

/** What the running program tells of itself. */
export interface ProgramFacts {
  /** `import.meta.url` of this package; undefined in a bundle of CommonJS, where bundlers leave the object empty. */
  moduleUrl: string | undefined;
  /** `__dirname`, which only CommonJS has. */
  moduleFolder: string | undefined;
  /** `process.argv[1]`: absent in a REPL and with `node -e`. */
  mainFile: string | undefined;
  /** The file that runs, where that is the program itself and no runtime: a single-file program, Electron. */
  programFile: string | undefined;
  /** A packaged Electron app: its first argument is what the user opened, from wherever, and no code of the app. */
  isPackagedElectron: boolean;
}

/** The folders to look for packages in, without repetition; this package's own comes first. */
export function listProgramFolders(os: OperatingSystem, facts = readFacts()): readonly string[] {
  const folders = [
    findOwnFolder(os, facts),
    findMainFolder(os, facts),
    facts.programFile === undefined ? undefined : os.path.dirname(facts.programFile),
  ];
  return [...new Set(folders.filter((folder) => folder !== undefined))];
}

function readFacts(): ProgramFacts {
  return {
    moduleUrl: import.meta.url,
    moduleFolder: typeof __dirname === 'string' ? __dirname : undefined,
    mainFile: process.argv[1],
    programFile: detectHostRuntime().file === undefined ? process.execPath : undefined,
    isPackagedElectron: process.versions['electron'] !== undefined && !('defaultApp' in process),
  };
}

function findOwnFolder(os: OperatingSystem, facts: ProgramFacts): string | undefined {
  // Inside a single-file program this module has no address on disk, or one that only the program itself can read.
  if (facts.moduleUrl?.startsWith('file:')) return os.path.dirname(fileURLToPath(facts.moduleUrl));
  const { moduleFolder } = facts;
  return moduleFolder !== undefined && os.path.isAbsolute(moduleFolder) ? moduleFolder : undefined;
}

function findMainFolder(os: OperatingSystem, facts: ProgramFacts): string | undefined {
  const { mainFile } = facts;
  if (facts.isPackagedElectron || mainFile === undefined || !os.path.isAbsolute(mainFile)) return undefined;
  // A link such as npm's for a command leads to the file that runs.
  return os.path.dirname(os.realPath(mainFile) ?? mainFile);
}
