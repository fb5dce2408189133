// A config folder with made-up transcripts, in force for one test.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import { textOf, type Line } from './entries.js';

/** Files by their path under `projects`. */
export type ProjectFiles = Readonly<Record<string, string | readonly (string | Line)[]>>;

/** Seconds since 1970; what a file has whose time is not given. */
const USUAL_TIME = 1_700_000_000;

export interface ConfigFolder {
  readonly root: string;
  /** The text of a file under `projects`. */
  read(path: string): string;
  /** All paths under `projects`, with the permissions of each. */
  tree(): Record<string, string>;
  remove(): void;
}

/** Writes the files and makes the folder the one that is looked in. */
export function createConfigFolder(
  files: ProjectFiles,
  times: Readonly<Record<string, number>> = {},
): ConfigFolder {
  const root = mkdtempSync(join(tmpdir(), 'inboard-config-'));
  const before = process.env['CLAUDE_CONFIG_DIR'];
  process.env['CLAUDE_CONFIG_DIR'] = root;
  const projects = join(root, 'projects');
  for (const [path, lines] of Object.entries(files)) {
    const full = join(projects, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, textOf(lines));
    const time = times[path] ?? USUAL_TIME;
    utimesSync(full, time, time);
  }
  return {
    root,
    read: (path) => readFileSync(join(projects, path), 'utf8'),
    tree: () => listTree(projects, ''),
    remove() {
      if (before === undefined) delete process.env['CLAUDE_CONFIG_DIR'];
      else process.env['CLAUDE_CONFIG_DIR'] = before;
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** The same, removed after the test that made it. */
export function useConfigFolders(): typeof createConfigFolder {
  const folders: ConfigFolder[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0).toReversed()) folder.remove();
  });
  return (...input) => {
    const folder = createConfigFolder(...input);
    folders.push(folder);
    return folder;
  };
}

function listTree(folder: string, path: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const inner = path === '' ? entry.name : `${path}/${entry.name}`;
    const mode = (statSync(join(folder, entry.name)).mode & 0o777).toString(8);
    found[entry.isDirectory() ? `${inner}/` : inner] = mode;
    if (entry.isDirectory()) Object.assign(found, listTree(join(folder, entry.name), inner));
  }
  return found;
}
