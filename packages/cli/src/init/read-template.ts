// Reads the files of a template from the package's folder `templates`, and puts the project's own name and versions in
// place of the template's.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NEWEST_VERSION } from '@inboard/core/options/supported-versions.js';
import { findOwnPackage } from '../tools-file/own-package.js';
import { CommandError } from '../terminal/usage-error.js';
import type { TemplateFolder } from './templates.js';

/** A file to be written. `path` is relative to the project's folder, and has `/` on every system. */
export interface ProjectFile {
  path: string;
  content: string;
}

/** The fields of a template's package.json that are read or changed. */
interface Manifest {
  name: string;
  dependencies: Record<string, string>;
  devDependencies?: Record<string, string>;
  engines?: { node?: string };
}

/** A template that was read from disk. */
export interface Template {
  /** The packages that a project made from it installs. */
  packages: readonly string[];
  /** The oldest version of Node that a project made from it runs on. */
  leastNode: string;
  /** The files of a project with this name and this version of `inboard`. package.json is the last. */
  fillIn(project: { name: string; inboard: string }): ProjectFile[];
}

// Files whose names would mean something in the package itself: npm reads `.gitignore` as the list of files not to pack.
const HIDDEN: Readonly<Record<string, string>> = { gitignore: '.gitignore', dockerignore: '.dockerignore' };

const MANIFEST = 'package.json';
const TEMPLATE_NAME = 'my-agent';

/** Reads a template of this package. Throws a CommandError if it cannot be read. */
export async function readTemplate(name: TemplateFolder): Promise<Template> {
  const own = findOwnPackage();
  const folder = join(own?.folder ?? '.', 'templates', name);
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = await Promise.all(
      entries
        .filter((entry) => entry.isFile())
        .map(async (entry) => {
          const whole = join(entry.parentPath, entry.name);
          return {
            path: whole.slice(folder.length + 1).replaceAll('\\', '/'),
            content: await readFile(whole, 'utf8'),
          };
        }),
    );
    const text = files.find(({ path }) => path === MANIFEST)?.content ?? '';
    const manifest = JSON.parse(text) as Manifest;
    return {
      packages: Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }),
      leastNode: manifest.engines?.node?.replace(/^>=/, '') ?? '0',
      fillIn: (project) => fillTemplate(files, manifest, project),
    };
  } catch (cause) {
    throw new CommandError(
      'TEMPLATE_MISSING',
      `The template is not in ${folder}. Install the package again; it must not be bundled into another program.`,
      { cause },
    );
  }
}

function fillTemplate(
  files: readonly ProjectFile[],
  template: Manifest,
  { name, inboard }: { name: string; inboard: string },
): ProjectFile[] {
  const dependencies = {
    ...template.dependencies,
    // This package was tested with this version of the CLI. The project stays on it until the user changes it.
    '@anthropic-ai/claude-code': NEWEST_VERSION,
    inboard,
  };
  const manifest: Manifest = { ...template, name, dependencies };
  const others = files
    .filter(({ path }) => path !== MANIFEST)
    .map(({ path, content }) => ({
      path: HIDDEN[path] ?? path,
      content: path.endsWith('.md') ? content.replaceAll(TEMPLATE_NAME, name) : content,
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  // package.json is written last, so that a folder without it shows that writing was interrupted.
  return [...others, { path: MANIFEST, content: `${JSON.stringify(manifest, null, 2)}\n` }];
}
