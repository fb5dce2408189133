// The CLIs that the run is recorded on, by the names of their packages.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A CLI; without a path it is not installed, and `install` is how to get it. */
export type Cli = { name: string; path: string | undefined; install: string };

/** The document's CLI and today's. The older one has an alias, since a package can be there only once under its name. */
export function findClis(from = import.meta.url): { old: Cli; new: Cli } {
  const [old, today] = ['claude-code-2.1.33', '@anthropic-ai/claude-code'];
  return {
    old: { name: old, path: findProgram(old, from), install: `npm install ${old}@npm:${today}@2.1.33` },
    new: { name: today, path: findProgram(today, from), install: `npm install ${today}` },
  };
}

function findProgram(name: string, from: string): string | undefined {
  try {
    const file = createRequire(from).resolve(`${name}/package.json`);
    const { bin } = JSON.parse(readFileSync(file, 'utf8')) as { bin: { claude: string } };
    return join(dirname(file), bin.claude);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
