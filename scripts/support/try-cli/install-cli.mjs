// Finds versions of the CLI in the registry and installs them, each in a folder of its own in the project's cache.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf, runProgram } from './run-program.mjs';
import { TrialError } from './trial-error.mjs';

const PACKAGE = '@anthropic-ai/claude-code';
// npm waits long for a registry that does not answer. A user who waits for a report should not have to.
const NPM_OPTIONS = ['--fetch-retries=1', '--fetch-timeout=60000', '--loglevel=error'];
const NPM_LIMIT_MS = 600_000;
const VERSION_LIMIT_MS = 60_000;
const NEAR = 6;

/**
 * The versions that are meant by numbers and tags; none means the newest. Throws `TrialError`.
 *
 * @param {readonly string[]} wanted
 * @param {{ cache: string, signal?: AbortSignal }} place
 */
export async function chooseVersions(wanted, { cache, signal }) {
  const isHere = (name) => /^\d/.test(name) && existsSync(join(cache, name, 'installed'));
  // Without the registry one can still try again what was tried before.
  if (wanted.length > 0 && wanted.every(isHere)) return [...new Set(wanted)];
  const { versions, 'dist-tags': tags } = await askRegistry({ cache, signal });
  const chosen = (wanted.length > 0 ? wanted : ['latest']).map((name) => {
    const version = Object.hasOwn(tags, name) ? tags[name] : name;
    if (!versions.includes(version)) throw new TrialError(describeUnknown(name, versions, tags));
    return version;
  });
  return [...new Set(chosen)];
}

/** Says that a version was never published, and which are near. */
export function describeUnknown(name, versions, tags) {
  const near = versions.filter((each) => each.startsWith(name.split('.').slice(0, 2).join('.')));
  const [, patch] = /^\d+\.\d+\.(\d+)$/.exec(name) ?? [];
  const distance = (version) => Math.abs(Number(version.split('.')[2]) - Number(patch));
  const shown =
    patch === undefined ? [] : near.toSorted((one, other) => distance(one) - distance(other)).slice(0, NEAR);
  const advice =
    shown.length > 0
      ? `Published ones near it: ${versions.filter((each) => shown.includes(each)).join(', ')}.`
      : `Name a version like ${versions.at(-1)}, or a tag: ${Object.keys(tags).join(', ')}.`;
  return `There is no version "${name}" of ${PACKAGE}. ${advice}`;
}

async function askRegistry({ cache, signal }) {
  mkdirSync(cache, { recursive: true });
  const { code, stdout, stderr } = await npm(['view', PACKAGE, 'versions', 'dist-tags', '--json'], {
    cwd: cache,
    signal,
  });
  if (code !== 0) {
    const before = readdirSync(cache).filter((name) => existsSync(join(cache, name, 'installed')));
    const instead =
      before.length > 0 ? ` Versions that are installed can be tried without it: ${before.join(', ')}.` : '';
    throw new TrialError(`The registry could not be asked for ${PACKAGE}: ${reasonOf(stderr)}${instead}`);
  }
  const answer = JSON.parse(stdout);
  return { versions: [answer.versions].flat(), 'dist-tags': answer['dist-tags'] };
}

/**
 * Installs a version unless it is there, and gives the path of its program. Throws `TrialError`.
 *
 * @param {string} version
 * @param {{ cache: string, signal?: AbortSignal }} place
 */
export async function installCli(version, { cache, signal }) {
  const folder = join(cache, version);
  const mark = join(folder, 'installed');
  if (existsSync(mark)) {
    const path = readFileSync(mark, 'utf8');
    if (existsSync(path)) return path;
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact'];
    const { code, stderr } = await npm([...args, `${PACKAGE}@${version}`], { cwd: folder, signal });
    if (code !== 0) throw new TrialError(`${PACKAGE}@${version} could not be installed: ${reasonOf(stderr)}`);
    const path = findProgram(folder, version);
    await checkProgram(path, version, signal);
    writeFileSync(mark, path);
    return path;
  } catch (error) {
    // Half an installation must not be taken for a whole one.
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Newer versions bring a program for each platform in a package of its own; older ones are a script. */
function findProgram(folder, version) {
  const scope = join(folder, 'node_modules', '@anthropic-ai');
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const native = readdirSync(scope)
    .filter((name) => name.startsWith('claude-code-'))
    .map((name) => join(scope, name, `claude${suffix}`))
    .find((path) => existsSync(path));
  const script = join(scope, 'claude-code', 'cli.js');
  const found = native ?? (existsSync(script) ? script : undefined);
  if (found === undefined)
    throw new TrialError(
      `${PACKAGE}@${version} has no program for ${process.platform}-${process.arch}; it cannot be tried here.`,
    );
  return found;
}

async function checkProgram(path, version, signal) {
  const said = await askVersion(path, signal);
  if (!said.startsWith(`${version} `) && said !== version)
    throw new TrialError(
      `What was installed as ${version} says "${said}" to --version. The download may be broken: try again.`,
    );
}

/** What a CLI says to `--version`. */
export async function askVersion(path, signal) {
  try {
    const { stdout, stderr } = await runProgram([...commandOf(path), '--version'], {
      signal,
      limitMs: VERSION_LIMIT_MS,
    });
    return (stdout || stderr).trim().split('\n')[0];
  } catch (error) {
    signal?.throwIfAborted();
    return `(${error.message})`;
  }
}

function npm(args, { cwd, signal }) {
  // npm is a batch file on Windows, which only a shell starts.
  const shell = process.platform === 'win32';
  return runProgram(['npm', ...args, ...NPM_OPTIONS], { cwd, signal, limitMs: NPM_LIMIT_MS, shell });
}

/** The sentence npm has for it, without its stamps. */
export function reasonOf(stderr) {
  const lines = stderr
    .split('\n')
    .map((line) => line.replace(/^npm (?:error|ERR!) ?/, '').trim())
    .filter((line) => line !== '' && !/^(?:npm warn|A complete log|code |errno |syscall )/i.test(line));
  const code = /^npm (?:error|ERR!) code (\S+)/m.exec(stderr)?.[1];
  return `${lines[0] ?? 'npm did not say why'}${code === undefined ? '' : ` (${code})`}.`.replace('..', '.');
}
