// The commands in a shell block of a page, and what is wrong with them: a script, a subcommand or an option that is not there.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../packages/cli/src/commands.js';
import { PROJECT_ROOT } from './project.js';

/** What a page may count on. */
export interface ShellWorld {
  /** The npm scripts of the package that the page is about. */
  scripts: Readonly<Record<string, string>>;
  /** Programs of packages that the page has installed, or that this project has. */
  packages: ReadonlySet<string>;
}

// Programs that a reader of the page has, or knows to be missing.
const KNOWN = new Set(
  'cd mkdir install echo cat cp rm export printf curl git ssh docker apt-get claude node npm npx inboard unshare openssl kill jq bun deno kubectl'.split(
    ' ',
  ),
);
const NPM_VERBS = new Set('init install ci pkg pack publish view link login whoami'.split(' '));

/** What is wrong with the lines of a shell block; nothing, most often. */
export function findShellMistakes(code: string, world: ShellWorld): string[] {
  return readCommands(code).flatMap((words) => {
    const mistake = findMistake(words, world);
    return mistake === undefined ? [] : [`${words.join(' ')}: ${mistake}`];
  });
}

/** Each simple command as words: joined lines, without comments, assignments and quotes. */
export function readCommands(code: string): string[][] {
  const lines = code.replaceAll('\\\n', ' ').split('\n');
  return lines.flatMap((line) => {
    const commands: string[][] = [[]];
    for (const [word] of line.matchAll(/'[^']*'|"[^"]*"|[|&;]+|#.*$|[^\s|&;'"]+/g)) {
      if (word.startsWith('#')) break;
      if (/^[|&;]/.test(word)) commands.push([]);
      else commands.at(-1)?.push(word);
    }
    return commands.map(dropAssignments).filter((words) => words.length > 0);
  });
}

function dropAssignments(words: readonly string[]): string[] {
  const first = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  return first === -1 ? [] : words.slice(first);
}

function findMistake(words: readonly string[], world: ShellWorld): string | undefined {
  const [program = '', ...rest] = words;
  if (program === 'npm') return findNpmMistake(rest, world);
  if (program === 'inboard') return findInboardMistake(rest);
  if (program === 'npx') {
    const [name = '', ...more] = rest.filter((word) => word !== '--yes' && word !== '-y');
    if (name === 'inboard') return findInboardMistake(more);
    return world.packages.has(name) ? undefined : `"${name}" is in no package that is known here`;
  }
  if (program === 'node') {
    const script = rest.find((word) => word.startsWith('scripts/'));
    return script === undefined || existsSync(join(PROJECT_ROOT, script))
      ? undefined
      : 'there is no such script';
  }
  return KNOWN.has(program)
    ? undefined
    : `"${program}" is no program that pages use (KNOWN in shell-lines.ts)`;
}

function findNpmMistake(words: readonly string[], { scripts }: ShellWorld): string | undefined {
  const [verb = '', ...rest] = words.filter((word) => !word.startsWith('--') || word === '--');
  const named = verb === 'run' ? rest[0] : /^(?:test|start)$/.test(verb) ? verb : undefined;
  if (named !== undefined)
    return Object.hasOwn(scripts, named) ? undefined : `package.json has no script "${named}"`;
  return NPM_VERBS.has(verb) ? undefined : `npm has no "${verb}" that pages use`;
}

function findInboardMistake(words: readonly string[]): string | undefined {
  const [name = '', ...rest] = words;
  if (/^--(?:help|version)$/.test(name)) return undefined;
  const command = COMMANDS[name];
  if (command === undefined) return `inboard has no command "${name}"`;
  const short = new Set(Object.values(command.options).map((option) => option.short));
  const unknown = rest
    .filter((word) => word.startsWith('-') && word !== '-')
    .map((word) => word.replace(/=.*$/, ''))
    .find(
      (word) =>
        word !== '--help' &&
        !(word.startsWith('--') ? Object.hasOwn(command.options, word.slice(2)) : short.has(word.slice(1))),
    );
  return unknown === undefined ? undefined : `"inboard ${name}" has no option "${unknown}"`;
}
