// Looks up a program on PATH as the system does, but never in the working directory.
import { readVariable, type Environment, type OperatingSystem } from '../operating-system.js';

/** A bare program name, and the environment whose PATH is searched. */
export interface PathSearch {
  name: string;
  env: Environment;
  os: OperatingSystem;
}

/**
 * Every file that a bare name could mean, in order, whether it exists or not. Uses the PATH of this process if the
 * environment has none.
 */
export function listPathFiles({ name, env, os }: PathSearch): string[] {
  const extensions = listExtensions(name, env, os);
  return listFolders(env, os).flatMap((folder) =>
    extensions.map((extension) => os.path.join(folder, name + extension)),
  );
}

/** The first file of `listPathFiles` that exists and is executable. */
export function searchPath(search: PathSearch): string | undefined {
  const { os } = search;
  return listPathFiles(search).find(
    (path) => os.statFile(path)?.kind === 'file' && (os.platform === 'win32' || os.canExecute(path)),
  );
}

function listFolders(env: Environment, os: OperatingSystem): string[] {
  const variable = readVariable('PATH', env, os) ?? readVariable('PATH', os.env, os) ?? '';
  const folders = variable.split(os.path.delimiter).map((folder) => folder.replace(/^"(.*)"$/, '$1'));
  // An empty or relative entry refers to the working directory, which may be an untrusted repository. A program there
  // must not be started only because of its name.
  return [...new Set(folders.filter((folder) => os.path.isAbsolute(folder)))];
}

function listExtensions(name: string, env: Environment, os: OperatingSystem): string[] {
  if (os.platform !== 'win32') return [''];
  const variable = readVariable('PATHEXT', env, os) ?? readVariable('PATHEXT', os.env, os);
  const extensions = (variable ?? '.COM;.EXE;.BAT;.CMD').toLowerCase().split(';').filter(Boolean);
  return extensions.includes(os.path.extname(name).toLowerCase()) ? [''] : extensions;
}
