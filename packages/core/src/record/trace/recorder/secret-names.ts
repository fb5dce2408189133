// Decides by a name whether a value is a secret. It may be the name of a field, a variable or a flag, or a name that
// stands beside the value in a pair. If the name is ambiguous, the value decides.

/**
 * Names that mean a secret, whatever the value is. A word of the first group must be the last whole word of the name. A word
 * of the second group may also be the end of a longer word, as in `PGPASSWORD`.
 */
const SECRET_NAME =
  /(?:^|_)(?:pass|pw|passcode|t?otp|authorization|cookies?|set_cookie|token|bearer|(?:access|refresh|id|identity|registry|auth|session|bearer|oauth|api|csrf|client)token)$|(?:(?:api|access|private|secret)_?keys?|key_?secret|secrets?|passw(?:or)?ds?|passphrases?|credentials?)$/;

const FOLDER_NAME = /^(?:old_?)?pwd$/;
const FOLDER = /^(?:[\\/~]|[A-Za-z]:[\\/]|\.{1,2}(?:[\\/]|$))/;

/** Names of keys that are no secrets: keys that identify or order things, and public keys. */
const HARMLESS_KEY =
  /(?:^|_)(?:primary|foreign|unique|composite|natural|surrogate|candidate|index|sort|range|hash|partition|shard|row|column|record|document|object|item|entity|cache|lookup|query|storage|bucket|s3|file|blob|idempotency|dedupe|deduplication|group|grouping|routing|message|event|job|task|issue|project|translation|i18n|locale|label|map|dictionary|json|public|host|hot|shortcut|react|config|setting|option|sql)_key$/;

/**
 * Whether a field, a variable or a flag of this name holds a secret. Without a value, true only if the name alone means a
 * secret. Counts of tokens, and the tokens that correlate progress, are no secrets.
 */
export function isSecretField(name: string, value?: unknown): boolean {
  if (name.length > MAX_NAME_CHARACTERS || name === 'progressToken') return false;
  const snake = toSnakeCase(name);
  // `PWD` may be a password or the shell's working folder. That folder is part of most paths and must not be hidden.
  if (FOLDER_NAME.test(snake)) return !(typeof value === 'string' && FOLDER.test(value));
  if (SECRET_NAME.test(snake) || snake.endsWith('_pwd')) return true;
  if (/(?:^|_)auth$/.test(snake)) return typeof value === 'string' && (isLogin(value) || looksRandom(value));
  return /._key$/.test(snake) && !HARMLESS_KEY.test(snake) && typeof value === 'string' && looksRandom(value);
}

// A longer name is not a name of a secret, but some text that was used as a name.
const MAX_NAME_CHARACTERS = 200;

/** Gives apiKey, API_KEY, api-key and X-Api-Key the same spelling. */
function toSnakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[-.\s]/g, '_')
    .toLowerCase();
}

const MIN_RANDOM_LENGTH = 16;
/** Matches the parts of ordinary names and paths: a word, a name in camel case, or a short number. */
const PLAIN_PART = /^(?:[A-Za-z]?[a-z]*(?:[A-Z][a-z]+)*|[A-Z]+|[vV]?\d{1,4})$/;

/**
 * Whether a value looks random. It must have at least 16 characters, and only characters that occur in keys. At least
 * ten of them must be in parts that are neither words nor short numbers.
 */
function looksRandom(value: string): boolean {
  if (value.length < MIN_RANDOM_LENGTH || !/^[\w+/=.~-]+$/.test(value)) return false;
  let odd = 0;
  for (const part of value.split(/[-+/=._~]/)) if (!PLAIN_PART.test(part)) odd += part.length;
  return odd >= 10;
}

const BASE_64 = /^[\w+/-]{6,2000}={0,2}$/;

/** Whether a value is a name and a password in Base64, as logins of registries are written. */
function isLogin(value: string): boolean {
  return (
    BASE_64.test(value) &&
    /^[\x20-\x39\x3b-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(value, 'base64').toString('latin1'))
  );
}

/** The name in a flag such as `--token`. Undefined for anything else, and for a flag that contains its value. */
export function nameOfFlag(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > MAX_NAME_CHARACTERS) return undefined;
  return /^--?([A-Za-z][\w.-]*)$/.exec(text)?.[1];
}

const NAME_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'key',
  'variable',
  'parameterkey',
  'header',
  'field',
]);
const VALUE_FIELDS: ReadonlySet<string> = new Set(['value', 'values', 'val', 'parametervalue']);

/** The names that an object gives to the value beside them, as in `{ name: 'API_KEY', value: '…' }`. */
export function listPairedNames(fields: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(fields).flatMap(([field, value]) =>
    typeof value === 'string' && NAME_FIELDS.has(field.toLowerCase()) ? value : [],
  );
}

/** Whether a field holds the value in a pair of a name and a value. */
export function isPairedValue(field: string): boolean {
  return VALUE_FIELDS.has(field.toLowerCase());
}

/** Fields with variables or headers. Every value in them is hidden, because nobody can tell which are harmless. */
export const SEALED_FIELDS: ReadonlySet<string> = new Set(['env', 'headers']);
