// Lists the secrets in an environment: the values of variables that are named like a secret, and the secrets inside
// other values, such as a password in the address of a proxy.
import { isSecretField } from './secret-names.js';

type Environment = Readonly<Record<string, string | undefined>>;

// A shorter value may be an ordinary word, which would then be hidden everywhere.
const LEAST_LENGTH = 8;

// A key of Bedrock. Its name does not end with a word for a secret.
const NAMED_OTHERWISE = new Set(['AWS_BEARER_TOKEN_BEDROCK']);
const HEADERS_VARIABLE = 'ANTHROPIC_CUSTOM_HEADERS';

/** The values that are hidden wherever they occur. */
export function listSecretValues(env: Environment): string[] {
  return Object.entries(env)
    .flatMap(([name, value]) => (value === undefined ? [] : listSecrets(name, value)))
    .filter((value) => value.length >= LEAST_LENGTH);
}

function listSecrets(name: string, value: string): string[] {
  if (NAMED_OTHERWISE.has(name) || isSecretField(name, value)) return [value];
  return name === HEADERS_VARIABLE ? value.split('\n').flatMap(listHeaderSecrets) : listPasswords(value);
}

/** The secret in a line `Name: value`: the token after a scheme such as `Bearer`, or else the value of a secret header. */
function listHeaderSecrets(line: string): string[] {
  const [name = '', ...rest] = line.split(':');
  const value = rest.join(':').trim();
  const [scheme = '', token, ...more] = value.split(' ');
  const isToken = token !== undefined && more.length === 0 && /^(?:bearer|basic|token)$/i.test(scheme);
  if (isToken) return [token];
  return isSecretField(name.trim(), value) || /auth$/i.test(name.trim()) ? [value] : [];
}

/** The password in an address, as in HTTPS_PROXY, both with and without percent escapes. */
function listPasswords(value: string): string[] {
  if (!value.includes('@') || !URL.canParse(value)) return [];
  const { password } = new URL(value);
  try {
    return password === '' ? [] : [...new Set([password, decodeURIComponent(password)])];
  } catch {
    // A percent sign does not begin an escape.
    return [password];
  }
}
