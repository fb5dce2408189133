// Which names say that a value is a secret: of fields, variables and flags, and beside a value in a pair. For names that
// say it only sometimes, the value decides.

/** Names that say it whatever the value is. The first group needs a word of its own, the second ends any word: `PGPASSWORD`. */
const SECRET_NAME =
  /(?:^|_)(?:pass|pw|passcode|t?otp|authorization|cookies?|set_cookie|token|bearer|(?:access|refresh|id|identity|registry|auth|session|bearer|oauth|api|csrf|client)token)$|(?:(?:api|access|private|secret)_?keys?|key_?secret|secrets?|passw(?:or)?ds?|passphrases?|credentials?)$/;

const FOLDER_NAME = /^(?:old_?)?pwd$/;
const FOLDER = /^(?:[\\/~]|[A-Za-z]:[\\/]|\.{1,2}(?:[\\/]|$))/;

/** Keys that find or order things, and keys that everybody may know. */
const HARMLESS_KEY =
  /(?:^|_)(?:primary|foreign|unique|composite|natural|surrogate|candidate|index|sort|range|hash|partition|shard|row|column|record|document|object|item|entity|cache|lookup|query|storage|bucket|s3|file|blob|idempotency|dedupe|deduplication|group|grouping|routing|message|event|job|task|issue|project|translation|i18n|locale|label|map|dictionary|json|public|host|hot|shortcut|react|config|setting|option|sql)_key$/;

/** Whether a field, a variable or a flag of this name holds a secret; without a value, whether it may hold one whatever it is. Counts of tokens and the tokens that correlate progress do not. */
export function isSecretField(name: string, value?: unknown): boolean {
  if (name.length > MAX_NAME_CHARACTERS || name === 'progressToken') return false;
  const snake = toSnakeCase(name);
  // The shell's working folder is named like a password, and is part of most paths.
  if (FOLDER_NAME.test(snake)) return !(typeof value === 'string' && FOLDER.test(value));
  if (SECRET_NAME.test(snake) || snake.endsWith('_pwd')) return true;
  if (/(?:^|_)auth$/.test(snake)) return typeof value === 'string' && (isLogin(value) || looksRandom(value));
  return /._key$/.test(snake) && !HARMLESS_KEY.test(snake) && typeof value === 'string' && looksRandom(value);
}

// Longer ones are texts that were used as names.
const MAX_NAME_CHARACTERS = 200;

/** One spelling for apiKey, API_KEY, api-key and X-Api-Key. */
function toSnakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[-.\s]/g, '_')
    .toLowerCase();
}

const MIN_RANDOM_LENGTH = 16;
/** A word, a name in camel case, or a short number: what a name or a path is made of. */
const PLAIN_PART = /^(?:[A-Za-z]?[a-z]*(?:[A-Z][a-z]+)*|[A-Z]+|[vV]?\d{1,4})$/;

/** Whether a value looks made by chance: 16 characters or more of those that keys are written in, of which at least ten stand in parts that are no words and no short numbers. */
function looksRandom(value: string): boolean {
  if (value.length < MIN_RANDOM_LENGTH || !/^[\w+/=.~-]+$/.test(value)) return false;
  let odd = 0;
  for (const part of value.split(/[-+/=._~]/)) if (!PLAIN_PART.test(part)) odd += part.length;
  return odd >= 10;
}

const BASE_64 = /^[\w+/-]{6,2000}={0,2}$/;

/** Whether a value is a name and a password in Base64, as registries want it. */
function isLogin(value: string): boolean {
  return (
    BASE_64.test(value) &&
    /^[\x20-\x39\x3b-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(value, 'base64').toString('latin1'))
  );
}

/** The name in a flag such as `--token`; undefined for anything else, and for a flag that has its value with it. */
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

/** Whether a field holds the value of such a pair. */
export function isPairedValue(field: string): boolean {
  return VALUE_FIELDS.has(field.toLowerCase());
}

/** Fields that hold variables or headers: every value in them is hidden, as nobody can tell which is harmless. */
export const SEALED_FIELDS: ReadonlySet<string> = new Set(['env', 'headers']);
