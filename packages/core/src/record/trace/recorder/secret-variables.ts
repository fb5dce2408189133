// Lists the secrets in an environment: variables that are named like one, and those that contain one, such as accounts,
// gateways and proxies.
import { isSecretField } from './secret-names.js';

type Environment = Readonly<Record<string, string | undefined>>;

// Hiding shorter values would hide half of the language.
const LEAST_LENGTH = 8;

// A key of Bedrock, whose name does not end with the word for a secret.
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

/** The secrets in a line `Name: value`, with the scheme before a token, as in `Bearer …`, and without it. */
function listHeaderSecrets(line: string): string[] {
  const [name = '', ...rest] = line.split(':');
  const value = rest.join(':').trim();
  const [scheme = '', token, ...more] = value.split(' ');
  const isToken = token !== undefined && more.length === 0 && /^(?:bearer|basic|token)$/i.test(scheme);
  if (isToken) return [token];
  return isSecretField(name.trim(), value) || /auth$/i.test(name.trim()) ? [value] : [];
}

/** The password in an address, such as that in HTTPS_PROXY, both escaped and unescaped. */
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
