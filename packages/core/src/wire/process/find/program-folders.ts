// Lists the folders from which this program's code comes: that of this package, of the program's main file, and of a
// program compiled to a single file. A CLI that is installed there is trusted like the code beside it.
import { fileURLToPath } from 'node:url';
import type { OperatingSystem } from '../operating-system.js';
import { detectHostRuntime } from './host-runtime.js';

/** What is known about the running program. */
export interface ProgramFacts {
  /** `import.meta.url` of this module; undefined in a CommonJS bundle, because bundlers leave `import.meta` empty there. */
  moduleUrl: string | undefined;
  /** `__dirname`, which only CommonJS has. */
  moduleFolder: string | undefined;
  /** `process.argv[1]`: absent in a REPL and with `node -e`. */
  mainFile: string | undefined;
  /** The running file, if it is the program itself and not a runtime, as in a single-file program or Electron. */
  programFile: string | undefined;
  /** Whether this is a packaged Electron app. Its first argument is a file that the user opened, not code of the app. */
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
  // Inside a single-file program this module has no path on disk, or one that only the program itself can read.
  if (facts.moduleUrl?.startsWith('file:')) return os.path.dirname(fileURLToPath(facts.moduleUrl));
  const { moduleFolder } = facts;
  return moduleFolder !== undefined && os.path.isAbsolute(moduleFolder) ? moduleFolder : undefined;
}

function findMainFolder(os: OperatingSystem, facts: ProgramFacts): string | undefined {
  const { mainFile } = facts;
  if (facts.isPackagedElectron || mainFile === undefined || !os.path.isAbsolute(mainFile)) return undefined;
  // The main file may be a link, as npm makes for commands. The folder of the link's target counts.
  return os.path.dirname(os.realPath(mainFile) ?? mainFile);
}
