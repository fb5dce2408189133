// Which files must ask for time, randomness, files and processes in one place, and which are excepted, as .oxlintrc.json says.
import { readProjectFile } from '../package/project.js';

interface Override {
  readonly files: readonly string[];
  readonly rules: Record<string, unknown>;
}

/** The rules that hold it. */
export const RULES = [
  'eslint/no-restricted-globals',
  'eslint/no-restricted-properties',
  'eslint/no-restricted-imports',
] as const;

const overrides = readOverrides();

/** Folders, each as `packages/cluster/src/`. */
export const GUARDED_FOLDERS = filesWith((rule) => Array.isArray(rule)).map(toPath);
/** Folders and files. */
export const EXCEPTIONS = filesWith((rule) => rule === 'off').map(toPath);

/** Whether a file, by its path in the project, has to ask there. */
export function isGuarded(path: string): boolean {
  const isIn = (place: string): boolean => (place.endsWith('/') ? path.startsWith(place) : path === place);
  return GUARDED_FOLDERS.some(isIn) && !EXCEPTIONS.some(isIn);
}

function filesWith(isMeant: (rule: unknown) => boolean): string[] {
  return overrides.flatMap(({ files, rules }) => (RULES.every((name) => isMeant(rules[name])) ? files : []));
}

function toPath(pattern: string): string {
  const path = pattern.replace(/\*\*$/, '');
  if (path.includes('*')) throw new Error(`Only folders and single files can be guarded, not ${pattern}`);
  return path;
}

function readOverrides(): Override[] {
  const text = readProjectFile('.oxlintrc.json').replaceAll(/^\s*\/\/.*$/gm, '');
  return (JSON.parse(text) as { overrides: Override[] }).overrides;
}
