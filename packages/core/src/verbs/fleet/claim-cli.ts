// Claims a parked CLI for a folder. Sends the requests in their order, and turns each refusal into a ClaimError.
import { ClaimError, ControlRequestError, type ClaimRefusal } from '../../errors.js';
import { messageOf } from '../../util/message-of.js';
import { withoutUndefined } from '../../util/without-undefined.js';
import type {
  ClaimSessionRequest,
  SDKControlClaimSessionResponse,
} from '../../wire/protocol/control/control.js';
import type { Claim, ClaimedSession, ClaimOptions } from './claim.js';

/** What a claim needs of the CLI. */
export interface ClaimSource {
  request(request: { subtype: string }): Promise<unknown>;
  /** Names of the servers that run in this process. */
  serverNames: readonly string[];
}

/** The codes that a refusal of the CLI begins with. */
const REFUSALS: ReadonlySet<string> = new Set<ClaimRefusal>([
  'not_a_spare',
  'env_key_not_claimable',
  'cwd_not_found',
  'project_settings_not_claimable',
  'permission_mode_not_claimable',
]);

/**
 * Claims the CLI. Rejects with a ClaimError when the CLI refuses or does not apply the settings. No prompt may be sent after
 * that.
 */
export async function claimCli(source: ClaimSource, options: ClaimOptions): Promise<Claim> {
  const { settings, model, maxThinkingTokens } = options;
  const ask = (subtype: string, fields: object): Promise<unknown> => source.request({ subtype, ...fields });
  // The requests are sent all at once, because the CLI handles them in order. The claim reads the settings, so they come first.
  const [applied, claimed, ...choices] = await Promise.allSettled([
    settings === undefined ? undefined : ask('apply_flag_settings', { settings }),
    ask('claim_session', describeClaim(options, source.serverNames)),
    model === undefined ? undefined : ask('set_model', { model }),
    maxThinkingTokens === undefined
      ? undefined
      : ask('set_max_thinking_tokens', { max_thinking_tokens: maxThinkingTokens }),
  ]);
  if (claimed.status === 'rejected') throw explain(claimed.reason);
  const reply = (claimed.value ?? {}) as SDKControlClaimSessionResponse;
  const session: ClaimedSession = withoutUndefined({
    cwd: reply.cwd,
    sessionId: reply.session_id,
    parkedMs: reply.parked_ms,
    sdkMcpSettled: reply.sdk_mcp_settled,
  });
  if (applied.status === 'rejected') {
    throw new ClaimError(
      'settings_not_applied',
      `${messageOf(applied.reason)}. The prompt was not sent and the process was closed; start the session with query()`,
      { cause: applied.reason, claim: session },
    );
  }
  return { session, initialize: reply.initialize, unapplied: findUnapplied(choices, session) };
}

function describeClaim(options: ClaimOptions, serverNames: readonly string[]): ClaimSessionRequest {
  return withoutUndefined({
    cwd: options.cwd,
    env: options.env,
    permission_mode: options.permissionMode,
    additional_directories: options.additionalDirectories,
    append_system_prompt: options.appendSystemPrompt,
    title: options.title,
    agents: options.agents,
    sdk_mcp_servers: [...serverNames],
    include_initialize: true,
  });
}

function findUnapplied(
  choices: readonly PromiseSettledResult<unknown>[],
  session: ClaimedSession,
): ClaimError<ClaimedSession> | undefined {
  const names = ['model', 'maxThinkingTokens'];
  const refused = choices.flatMap((choice, index) =>
    choice.status === 'rejected' ? [{ name: names[index] ?? '', cause: choice.reason as unknown }] : [],
  );
  if (refused.length === 0) return undefined;
  const list = refused.map(({ name, cause }) => `${name}: ${messageOf(cause)}`).join('; ');
  return new ClaimError(
    'option_not_applied',
    `${list}. The prompt was sent and the session runs without these options`,
    { cause: refused[0]?.cause, claim: session },
  );
}

function explain(cause: unknown): unknown {
  if (!(cause instanceof ControlRequestError)) return cause;
  const [, code = '', text = ''] = /^(\w+): (.*)$/s.exec(cause.message) ?? [];
  return REFUSALS.has(code)
    ? new ClaimError(code as ClaimRefusal, text, { cause })
    : new ClaimError('claim_failed', cause.message, { cause });
}
