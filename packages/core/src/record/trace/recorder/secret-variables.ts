// The secrets in an environment: variables that are named like one, and those that have one within, as accounts, gateways and
// proxies do.
import { isSecretField } from './secret-names.js';

type Environment = Readonly<Record<string, string | undefined>>;

// Short ones would hide half of the language.
const LEAST_LENGTH = 8;

// A key of Bedrock, whose name ends with what it is for.
const NAMED_OTHERWISE = new Set(['AWS_BEARER_TOKEN_BEDROCK']);
const HEADERS_VARIABLE = 'ANTHROPIC_CUSTOM_HEADERS';

/** The values that are to be hidden wherever they turn up. */
export function listSecretValues(env: Environment): string[] {
  return Object.entries(env)
    .flatMap(([name, value]) => (value === undefined ? [] : listSecrets(name, value)))
    .filter((value) => value.length >= LEAST_LENGTH);
}

function listSecrets(name: string, value: string): string[] {
  if (NAMED_OTHERWISE.has(name) || isSecretField(name, value)) return [value];
  return name === HEADERS_VARIABLE ? value.split('\n').flatMap(listHeaderSecrets) : listPasswords(value);
}

/** Of a line `Name: value`; with the scheme before a token, as in `Bearer …`, and without. */
function listHeaderSecrets(line: string): string[] {
  const [name = '', ...rest] = line.split(':');
  const value = rest.join(':').trim();
  const [scheme = '', token, ...more] = value.split(' ');
  const isToken = token !== undefined && more.length === 0 && /^(?:bearer|basic|token)$/i.test(scheme);
  if (isToken) return [token];
  return isSecretField(name.trim(), value) || /auth$/i.test(name.trim()) ? [value] : [];
}

/** The password in an address such as HTTPS_PROXY has, as it is written there and as it is. */
function listPasswords(value: string): string[] {
  if (!value.includes('@') || !URL.canParse(value)) return [];
  const { password } = new URL(value);
  try {
    return password === '' ? [] : [...new Set([password, decodeURIComponent(password)])];
  } catch {
    // A percent sign that begins no escape.
    return [password];
  }
}
