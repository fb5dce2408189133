// Checks whether the CLI has an account in the user's own environment. Nothing is sent to a model.
import { InboardError } from '@inboard/core/errors.js';
import { hasOwnModel } from '@inboard/core/options/launch/live-guard.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import type { AccountInfo } from '@inboard/core/wire/protocol/control/initialize-reply.js';
import { listLogins } from '@inboard/core/wire/protocol/control/logins.js';
import { query } from '@inboard/core/verbs/query/query.js';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { withQuery } from '../agent/command-query.js';
import type { Terminal } from '../terminal/terminal.js';
import type { Check } from './check.js';

const ABOUT = { id: 'login', title: 'Login' };

/** Starts the CLI without a prompt and asks it who is logged in. */
export async function checkLogin(
  path: string,
  { terminal, limitMs }: { terminal: Terminal; limitMs: number },
): Promise<Check> {
  const over = createDeferred<void>();
  const q = query({
    // The prompt never yields a message, so nothing is sent to a model.
    prompt: (async function* () {
      await over.promise;
      yield* [];
    })(),
    options: {
      pathToClaudeCodeExecutable: path,
      cwd: terminal.cwd,
      // The settings of a project may run commands when a session starts.
      settingSources: ['user'],
      handshakeTimeoutMs: limitMs,
      env: { ...terminal.env, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
      onWarning: () => {},
    },
  });
  return withQuery(q, terminal.signal, async () => {
    try {
      return judgeAccount(await q.accountInfo(), terminal.env);
    } catch (error) {
      return judgeStart(error);
    } finally {
      over.resolve();
    }
  });
}

/** Judges a CLI that was not started, or did not come up, in the user's own environment. */
export function judgeStart(error: unknown): Check {
  if (error instanceof InboardError && error.code === 'LIVE_RUN_FORBIDDEN')
    return {
      ...ABOUT,
      status: 'note',
      detail: 'not asked, because INBOARD_FORBID_LIVE is set; nothing here needs an account',
    };
  return {
    ...ABOUT,
    status: 'failed',
    detail: `the CLI does not start in your environment: ${messageOf(error)}`,
    advice:
      'It starts in an isolated environment, so check its settings (~/.claude) and your CLAUDE_* variables.',
  };
}

/** Judges an account. If `env` sets ANTHROPIC_BASE_URL, the result names the host. */
export function judgeAccount(account: AccountInfo, env: Terminal['env']): Check {
  const address = env['ANTHROPIC_BASE_URL'];
  const where = address ? `at ${readHost(address)}` : '';
  const ways = listLogins(account);
  if (ways.length > 0)
    return { ...ABOUT, status: 'ok', detail: `${ways.join('; ')}${where && `, ${where}`}` };
  // A server on this machine decides by itself whether it wants an account. The CLI asks it only if it has a key.
  if (hasOwnModel(env))
    return {
      ...ABOUT,
      status: 'note',
      detail: `nobody is logged in; the model ${where} is on this machine and may need no account`,
      advice: 'If the CLI says that it is not logged in, set ANTHROPIC_API_KEY to any text.',
    };
  return {
    ...ABOUT,
    status: 'failed',
    detail: 'nobody is logged in and there is no API key',
    advice:
      'Set ANTHROPIC_API_KEY, or start "claude" once and log in with /login. Tests, "inboard play" and "inboard demo" need neither.',
  };
}

function readHost(address: string): string {
  return URL.canParse(address) ? new URL(address).host : 'ANTHROPIC_BASE_URL';
}
