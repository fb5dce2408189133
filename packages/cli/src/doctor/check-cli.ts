// Checks the CLI as a file: where it is, whether it can be started here, and which version it is.
import { messageOf } from '@inboard/core/util/message-of.js';
import { ExecutableNotFoundError } from '@inboard/core/errors.js';
import { NEWEST_VERSION, OLDEST_VERSION } from '@inboard/core/options/supported-versions.js';
import { buildCommand } from '@inboard/core/wire/process/find/cli-command.js';
import { probeCliVersion } from '@inboard/core/wire/process/find/cli-version.js';
import { compareVersions } from '@inboard/core/wire/process/find/compare-versions.js';
import {
  explainIgnoredCli,
  findExecutable,
  findIgnoredCli,
  type FoundExecutable,
} from '@inboard/core/wire/process/find/find-executable.js';
import type { Terminal } from '../terminal/terminal.js';
import type { Check } from './check.js';

const SOURCES: Record<FoundExecutable['source'], string> = {
  option: 'named by --cli or INBOARD_CLI',
  environment: 'named by INBOARD_CLI',
  package: 'from its npm package',
  path: 'from PATH',
};

/** Looks for the CLI as a query would. */
export function checkExecutable(
  terminal: Terminal,
  explicit: string | undefined,
): { check: Check; found: FoundExecutable | undefined } {
  const about = { id: 'executable', title: 'Claude CLI' };
  try {
    const search = { env: { ...terminal.env }, startFolder: terminal.cwd, explicit };
    const found = findExecutable(search);
    const isNamed = found.source === 'option' || found.source === 'environment';
    const ignored = isNamed ? undefined : findIgnoredCli(search);
    const kind = found.kind === 'native' ? 'started directly' : 'run by a JavaScript runtime';
    return {
      found,
      check: {
        ...about,
        status: ignored === undefined ? 'ok' : 'note',
        detail: `${found.path} (${SOURCES[found.source]}; ${kind})`,
        ...(ignored !== undefined && { advice: explainIgnoredCli(ignored) }),
      },
    };
  } catch (error) {
    // The first line of the error says what is wrong and what to do; the other lines say where we looked.
    const said = messageOf(error).replace('The option "pathToClaudeCodeExecutable"', 'INBOARD_CLI or --cli');
    const [detail = '', ...rest] = said
      .replace('the option "pathToClaudeCodeExecutable"', '--cli')
      .split('\n');
    const advice = [
      error instanceof ExecutableNotFoundError && explicit === undefined
        ? 'Searched, in this order:'
        : 'Name another with --cli or INBOARD_CLI, or leave both out and run "npm install @anthropic-ai/claude-code".',
      // The line above replaces this heading.
      ...rest.filter((line) => line !== 'Tried, in this order:'),
    ].join('\n');
    return { found: undefined, check: { ...about, status: 'failed', detail, advice } };
  }
}

/** Finds the version of the CLI, and judges whether this library works with it. */
export async function checkVersion(found: FoundExecutable, terminal: Terminal): Promise<Check> {
  const about = { id: 'version', title: 'Version' };
  const version = found.version ?? (await askVersion(found, terminal));
  const install = '"npm install @anthropic-ai/claude-code@latest"';
  // A CLI that the user names is preferred to an installed one, so installing alone would change nothing.
  const update =
    found.source === 'option' || found.source === 'environment'
      ? `Name a newer one, or leave out --cli and INBOARD_CLI and run ${install}.`
      : `Update it with ${install}.`;
  if (version === undefined) {
    return {
      ...about,
      status: 'note',
      detail: 'it prints no version for --version',
      advice: `Is ${found.path} the Claude CLI? If it is: ${update}`,
    };
  }
  if (compareVersions(version, OLDEST_VERSION) < 0) {
    return {
      ...about,
      status: 'failed',
      detail: `${version} is too old: the oldest version known to work is ${OLDEST_VERSION}`,
      advice: update,
    };
  }
  if (compareVersions(version, NEWEST_VERSION) < 0) {
    return {
      ...about,
      status: 'note',
      detail: `${version} works; some options need a newer one, up to ${NEWEST_VERSION}`,
      advice: `You need not do anything. Options that need a newer CLI are rejected by name. ${update}`,
    };
  }
  const isNewer = compareVersions(version, NEWEST_VERSION) > 0;
  return {
    ...about,
    status: 'ok',
    detail: isNewer ? `${version}, newer than the newest tested, ${NEWEST_VERSION}` : version,
  };
}

function askVersion(found: FoundExecutable, terminal: Terminal): Promise<string | undefined> {
  const env = { ...terminal.env };
  const { command, args } = buildCommand({ executable: found, args: [], env });
  return probeCliVersion({ command, args, env, cwd: terminal.cwd });
}
