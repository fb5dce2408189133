// The variables with which a resumed CLI goes on by itself with a turn that was cut off. A CLI before `GOES_ON_SINCE` does not get
// them: it would not tell the model of the calls that were cut off, and some of these do not say in the handshake that they go on.
import { plansFor, type PlannedVersion } from '../supported-versions.js';

/** The first CLI that goes on by itself, says so in its handshake, and tells the model which calls have an unknown outcome. */
export const GOES_ON_SINCE = '2.1.309';

const VARIABLES = {
  CLAUDE_CODE_RESUME_INTERRUPTED_TURN: '1',
  CLAUDE_CODE_RESUME_SHOWS_CUT_OFF_CALLS: '1',
};
const NAMES = Object.keys(VARIABLES);

interface Sources {
  env?: Record<string, string | undefined> | undefined;
  extendEnv?: Record<string, string | undefined> | undefined;
}

/** The options with the variables. The launch takes them away again where the CLI turns out to be older. */
export function askToGoOn<Given extends Sources>(options: Given): Given {
  return options.env
    ? { ...options, env: { ...options.env, ...VARIABLES } }
    : { ...options, extendEnv: { ...options.extendEnv, ...VARIABLES } };
}

/**
 * The environment as a CLI of this version gets it. Where a program sets only one of the variables by itself, it keeps it. Throws
 * `VersionNeeded` where the version decides and is open.
 */
export function fitGoOn(env: Record<string, string>, version: PlannedVersion): Record<string, string> {
  if (!NAMES.every((name) => name in env) || plansFor(version, GOES_ON_SINCE)) return env;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !NAMES.includes(name)));
}
