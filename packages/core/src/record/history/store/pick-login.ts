// Decides which parts of a stored login go into a copy: those that the CLI needs to make requests, measured on 2.1.33
// and 2.1.325 (`docs/discoveries/crash-and-resume.md`), and nothing that outlives the session or would end the user's
// own login.
import { isRecord } from '../../../util/guards.js';

type Fields = Record<string, unknown>;

/** With any of these variables the CLI ignores a stored login (seen on 2.1.33 and 2.1.325). */
const LOGIN_VARIABLES = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'];

/** Without this scope the CLI uses a stored key instead of the token. */
const INFERENCE = 'user:inference';

// The refresh token is left out: it can be used only once, and a copy that used it would end the user's own login. The
// client's secret and the facts about the device are left out as well. The plan decides the default model.
const TOKEN_FIELDS = ['accessToken', 'expiresAt', 'scopes', 'subscriptionType', 'rateLimitTier'];
const SERVER_FIELDS = ['serverName', 'serverUrl', 'accessToken', 'expiresAt', 'scope'];

/** The login of a copy. `environment` needs no stored one; a token is used before a key. */
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
  // Plugins are linked, and their servers need the secrets that the user gave them.
  if (isRecord(pluginSecrets)) picked['pluginSecrets'] = pluginSecrets;
  return Object.keys(picked).length === 0 ? undefined : picked;
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}
