// Checks whether the CLI has an account in the user's own environment. Nothing is sent to a model.
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
      return {
        ...ABOUT,
        status: 'failed',
        detail: `the CLI does not start in your environment: ${messageOf(error)}`,
        advice:
          'It starts in an isolated environment, so check its settings (~/.claude) and your CLAUDE_* variables.',
      };
    } finally {
      over.resolve();
    }
  });
}

/** Judges an account. If somebody is logged in and `env` sets ANTHROPIC_BASE_URL, the result names the host. */
export function judgeAccount(account: AccountInfo, env: Terminal['env']): Check {
  const where = env['ANTHROPIC_BASE_URL'] ? `, at ${readHost(env['ANTHROPIC_BASE_URL'])}` : '';
  const ways = listLogins(account);
  if (ways.length > 0) return { ...ABOUT, status: 'ok', detail: `${ways.join('; ')}${where}` };
  return {
    ...ABOUT,
    status: 'failed',
    detail: 'nobody is logged in and there is no API key',
    advice:
      'Set ANTHROPIC_API_KEY, or start "claude" once and log in with /login. Tests and the demo need neither.',
  };
}

function readHost(address: string): string {
  return URL.canParse(address) ? new URL(address).host : 'ANTHROPIC_BASE_URL';
}
