// Starts a CLI without a model and notes what it lists, which flags its parser takes, and how it ends on bad arguments.
import { createIsolatedEnvironment } from '../../../dist/entry/testing.js';
import { askVersion } from './install-cli.mjs';
import { parseHelp } from './parse-help.mjs';
import { describeEnd, readComplaint } from './read-ends.mjs';
import { commandOf, runProgram } from './run-program.mjs';

const LIMIT_MS = 60_000;
/** No CLI has so many flags that it does not know. */
const MOST_STARTS = 60;
const STREAMING = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'];
const UUID = '55555555-5555-4555-8555-555555555555';

/** Launches whose end hosts rely on, by what is wrong with them. */
const BAD_ENDS = {
  'empty input': [],
  'unknown flag': ['--no-such-flag'],
  'bad session id': ['--session-id=no-uuid'],
  'unknown session to resume': [`--resume=${UUID}`],
  'missing settings file': ['--settings', '/nowhere/settings.json'],
  'missing server file': ['--mcp-config', '/nowhere/servers.json'],
  'unknown permission mode': ['--permission-mode=no-such-mode'],
  'unknown effort': ['--effort=no-such-effort'],
  '--resume-session-at alone': [`--resume-session-at=${UUID}`],
};

/** Gives `{ said, flags, commands, ends }`: the answers to `--version` and `--help`, and exit codes. */
export async function probeCli(path, signal) {
  return await inHome(async (home) => {
    const start = (args) =>
      runProgram([...commandOf(path), ...args], { cwd: home.cwd, env: home.env, signal, limitMs: LIMIT_MS });
    const { flags, commands } = parseHelp((await start(['--help'])).stdout);
    const ends = new Map();
    for (const [name, args] of Object.entries(BAD_ENDS))
      ends.set(name, describeEnd(await start([...STREAMING, ...args])));
    return { said: await askVersion(path, signal), flags, commands, ends };
  });
}

/** Gives the flags, as lists of words, that the CLI's parser refuses, and its complaint. All are tried in one start, but for refused ones. */
export async function findRefusedFlags(path, { first, flags, signal }) {
  return await inHome(async (home) => {
    const refused = [];
    let left = flags;
    for (let starts = 0; starts < MOST_STARTS; starts += 1) {
      const { stderr } = await runProgram([...commandOf(path), ...first, ...left.flat()], {
        cwd: home.cwd,
        env: home.env,
        signal,
        limitMs: LIMIT_MS,
      });
      const complaint = readComplaint(stderr);
      if (complaint === undefined) return refused;
      const isMeant = (words) =>
        words[0].split('=')[0] === complaint.flag &&
        (complaint.value === undefined ||
          [...words[0].split('=').slice(1), ...words.slice(1)].includes(complaint.value));
      const meant = left.filter(isMeant);
      // A complaint about something that was not given says nothing about what was.
      if (meant.length === 0)
        throw new Error(`The CLI complains of a flag it was not given: ${complaint.text}`);
      refused.push(...meant.map((words) => ({ words, why: complaint.text })));
      left = left.filter((words) => !isMeant(words));
    }
    return refused;
  });
}

async function inHome(work) {
  // Nothing listens there: a CLI that asks a model all the same fails.
  const home = await createIsolatedEnvironment({ baseUrl: 'http://127.0.0.1:9' });
  try {
    return await work(home);
  } finally {
    await home.remove();
  }
}
