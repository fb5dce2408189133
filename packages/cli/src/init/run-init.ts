// `inboard init`: writes a project that passes its tests offline, and says which command comes next.
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { countOf, messageOf } from '@inboard/core/util/message-of.js';
import { compareVersions } from '@inboard/core/wire/process/find/compare-versions.js';
import { readSwitch, readText, type CommandInput } from '../command.js';
import { readOwnVersion } from '../tools-file/own-package.js';
import { noteLine, printLine } from '../terminal/terminal.js';
import { CommandError, EXIT_CODES, UsageError } from '../terminal/usage-error.js';
import { findInstallSource } from './install-source.js';
import { checkFolderName, checkProjectName, nameAfter } from './project-name.js';
import { askFolder, askJavaScript, askTemplate, canAsk } from './ask-project.js';
import { readTemplate, type Template } from './read-template.js';
import { isTemplateName, TEMPLATE_NAMES, TEMPLATES, type TemplateName } from './templates.js';
import { writeFiles, type WrittenFiles } from './write-files.js';

/** A project that is to be written. */
interface Project {
  folder: string;
  name: string;
  template: Template;
}

export async function runInit(input: CommandInput): Promise<number> {
  const { terminal } = input;
  const inboard = chooseInboard(input);
  const { folder, name, template } = await chooseProject(input);
  const files = template.fillIn({ name, inboard });
  const done = await writeFiles(folder, files, terminal.signal).catch((error: unknown) => {
    if (terminal.signal.aborted) noteLine(terminal, `Stopped; nothing was left behind in ${folder}.`);
    throw error;
  });
  report(input, { folder, name, leastNode: template.leastNode, done });
  return EXIT_CODES.ok;
}

/** What to write, and where: from the command line, and what it leaves open from the person at the terminal or by default. */
async function chooseProject(input: CommandInput): Promise<Project> {
  const { terminal } = input;
  const [given] = input.args;
  const isAsking = canAsk(terminal) && !readSwitch(input, 'yes');
  // What is wrong on the command line is said before anything is asked.
  const givenFolder = given === undefined && isAsking ? undefined : await chooseFolder(terminal.cwd, given);
  const [firstName = 'agent'] = TEMPLATE_NAMES;
  const kind = readKind(input) ?? (isAsking ? await askTemplate(terminal) : firstName);
  const { typescript, javascript } = TEMPLATES[kind];
  const isScript =
    javascript !== undefined && (readSwitch(input, 'js') || (isAsking && (await askJavaScript(terminal))));
  const template = await readTemplate(isScript ? javascript : typescript);
  const asked = readText(input, 'name');
  const askedName = asked === undefined ? undefined : checkProjectName(asked, template.packages);
  const placeIn = (folder: string): Project => ({
    folder,
    name: askedName ?? nameAfter(basename(folder), template.packages),
    template,
  });
  if (givenFolder !== undefined) return placeIn(givenFolder);
  return askFolder(terminal, `my-${kind}`, async (answer) =>
    placeIn(await chooseFolder(terminal.cwd, answer)),
  );
}

/** The template that the options say; undefined if they leave it open. Throws a UsageError if they contradict each other. */
function readKind(input: CommandInput): TemplateName | undefined {
  const kind = readText(input, 'template');
  const isScript = readSwitch(input, 'js');
  if (kind === undefined) return isScript ? 'agent' : undefined;
  if (!isTemplateName(kind))
    throw new UsageError(`There is no template "${kind}". The templates are: ${TEMPLATE_NAMES.join(', ')}.`);
  if (isScript && TEMPLATES[kind].javascript === undefined)
    throw new UsageError(`The template "${kind}" is TypeScript only: leave out --js, or --template.`);
  return kind;
}

async function chooseFolder(cwd: string, given: string | undefined): Promise<string> {
  if (given === undefined) return resolve(cwd);
  if (given.trim() === '')
    throw new UsageError('The name of the folder is empty. Leave it out to use the current one.');
  const folder = resolve(cwd, given);
  const stats = await statOf(folder);
  if (stats?.isDirectory()) return folder;
  if (stats !== undefined) throw new CommandError('NOT_A_FOLDER', `${folder} exists, but is not a folder.`);
  // The names are checked only when the folder is to be created; an existing folder has its name already.
  for (const part of relative(cwd, folder).split(sep)) {
    if (part !== '..' && !isAbsolute(part)) checkFolderName(part);
  }
  return folder;
}

async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandError('NOT_WRITTEN', `${path} cannot be created: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

/** What the project installs as `inboard`: what the user asked for, or the file that this package was installed from, or this version. */
function chooseInboard(input: CommandInput): string {
  const given = readText(input, 'inboard');
  if (given === undefined) return chooseOwn(input);
  const isPath = /^file:|^\.{0,2}[\\/]|^[a-z]:[\\/]|\.tgz$/i.test(given) && !/^https?:/i.test(given);
  if (isPath) {
    const path = resolve(input.terminal.cwd, given.replace(/^file:/, ''));
    if (existsSync(path)) return fileSpec(path);
    throw new UsageError(`--inboard names ${path}, which does not exist.`);
  }
  if (/^[^\s]+$/.test(given)) return given;
  throw new UsageError('--inboard takes a version, a range, a tag, a URL or the path of a tarball.');
}

function chooseOwn({ terminal }: CommandInput): string {
  const source = findInstallSource();
  if (source.from === 'file') return fileSpec(source.path);
  const version = `^${readOwnVersion()}`;
  if (source.from === 'unknown')
    noteLine(
      terminal,
      `The project installs inboard@${version}. If your registry does not have it, give a tarball: --inboard <file>.`,
    );
  return version;
}

function fileSpec(path: string): string {
  return `file:${path.replaceAll('\\', '/')}`;
}

function report(
  { terminal }: CommandInput,
  { folder, name, leastNode, done }: { folder: string; name: string; leastNode: string; done: WrittenFiles },
): void {
  const { written, kept } = done;
  const place = relative(terminal.cwd, folder);
  noteLine(terminal, `${name}: ${countOf(written.length, 'file')} written to ${folder}`);
  for (const path of written) noteLine(terminal, `  ${path}`);
  if (kept.length > 0) noteLine(terminal, `Already there, and left unchanged: ${kept.join(', ')}`);
  noteLine(terminal, 'You need no account: without one, a script plays the model.');
  const { node } = process.versions;
  if (compareVersions(node, leastNode) < 0)
    noteLine(
      terminal,
      `It needs Node ${leastNode} or newer, and this is Node ${node}: install a newer Node first.`,
    );
  noteLine(terminal, 'Next:');
  const enter = place === '' ? '' : `cd ${quoteForShell(place)} && `;
  printLine(terminal, `${enter}npm install && npm test`);
}

/**
 * A path as one word of a command line. Double quotes work in every shell, but `$` and some other characters need
 * single ones.
 */
function quoteForShell(path: string): string {
  // After "cd", a word that begins with a dash is an option.
  const word = path.startsWith('-') ? `./${path}` : path;
  if (/^[\w./\\@-]+$/.test(word)) return word;
  if (sep === '\\' || !/[$`!\\]/.test(word)) return `"${word}"`;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
