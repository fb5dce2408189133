// Decides which parts of stored logins go into a copy: those that the CLI needs to make requests, as measured on 2.1.33
// and 2.1.325 (`docs/discoveries/crash-and-resume.md`). A refresh token is never copied, because its use would end the
// user's own login.
import { isRecord } from '../../../util/guards.js';

type Fields = Record<string, unknown>;

/** With any of these variables the CLI ignores a stored login (seen on 2.1.33 and 2.1.325). */
const LOGIN_VARIABLES = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'];

/** If the stored token does not have this scope, the CLI uses a stored key instead. */
const INFERENCE = 'user:inference';

// The refresh token is left out, because it can be used only once: a CLI that used the copy would end the user's own
// login. The client's secret and the facts about the device are left out as well. The plan (`subscriptionType`) is
// copied, because it decides the default model.
const TOKEN_FIELDS = ['accessToken', 'expiresAt', 'scopes', 'subscriptionType', 'rateLimitTier'];
const SERVER_FIELDS = ['serverName', 'serverUrl', 'accessToken', 'expiresAt', 'scope'];

/** Which login the CLI uses. With `environment` it needs no stored login. A stored token is preferred to a stored key. */
export type LoginKind = 'environment' | 'token' | 'key';

/** Chooses the login from the environment and the content of `.credentials.json`. */
export function chooseLogin(
  env: Readonly<Record<string, string | undefined>>,
  credentials: Fields,
): LoginKind {
  if (LOGIN_VARIABLES.some((name) => env[name])) return 'environment';
  const { claudeAiOauth } = credentials;
  const scopes = isRecord(claudeAiOauth) ? claudeAiOauth['scopes'] : undefined;
  return Array.isArray(scopes) && scopes.includes(INFERENCE) ? 'token' : 'key';
}

/** The part of `.credentials.json` to copy; undefined when nothing is left of it. */
export function pickCredentials(credentials: Fields, login: LoginKind): Fields | undefined {
  const { claudeAiOauth, mcpOAuth, pluginSecrets } = credentials;
  const picked: Fields = {};
  if (login === 'token' && isRecord(claudeAiOauth)) {
    picked['claudeAiOauth'] = pick(claudeAiOauth, TOKEN_FIELDS);
  }
  if (isRecord(mcpOAuth)) {
    const servers = Object.entries(mcpOAuth).flatMap(([key, server]) =>
      isRecord(server) ? [[key, pick(server, SERVER_FIELDS)] as const] : [],
    );
    if (servers.length > 0) picked['mcpOAuth'] = Object.fromEntries(servers);
  }
  // The folder of plugins is linked, and their servers need the secrets that the user gave them.
  if (isRecord(pluginSecrets)) picked['pluginSecrets'] = pluginSecrets;
  return Object.keys(picked).length === 0 ? undefined : picked;
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}
