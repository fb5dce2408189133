// What secrets look like: names of fields that hold them, and the forms of the values themselves. A few
// words say cheaply that a text holds none; only the others pay for a closer look.

/** A form of secret; with two groups, what is in the first stays and what is in the second is hidden. */
export interface SecretPattern {
  name: string;
  /** In lower case; a text without any of them cannot match. */
  hints: readonly string[];
  expression: RegExp;
}

const NAMED = ['key', 'secret', 'passw', 'passphrase', 'credential', 'token'];

// Bounded, because an unbounded run in front would make long words cost the square of their length.
const ASSIGNED_NAME =
  '[\\w.-]{0,40}(?:api[_-]?key|access[_-]?key|private[_-]?key|secret|passw(?:or)?d|passphrase|credentials?|auth[_-]?token|(?<!progress)(?<!progress[_-])token(?!s))[\\w-]{0,40}';

/** Secrets inside texts. */
const SECRET_PATTERNS: readonly SecretPattern[] = [
  {
    name: 'private key',
    hints: ['private key'],
    expression: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  },
  { name: 'sk key', hints: ['sk-'], expression: /\bsk-[A-Za-z0-9_-]{8,}/g },
  {
    name: 'payment key',
    hints: ['sk_', 'rk_', 'pk_', 'whsec_'],
    expression: /\b(?:sk|rk|pk|whsec)_(?:live_|test_)?[A-Za-z0-9]{12,}/g,
  },
  { name: 'JWT', hints: ['eyj'], expression: /\beyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*/g },
  {
    name: 'AWS key id',
    hints: ['akia', 'asia', 'agpa', 'aroa', 'aida'],
    expression: /\b(?:AKIA|ASIA|AGPA|AROA|AIDA)[0-9A-Z]{16}\b/g,
  },
  {
    name: 'GitHub token',
    hints: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    expression: /\b(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{20,})/g,
  },
  { name: 'GitLab token', hints: ['glpat-'], expression: /\bglpat-[A-Za-z0-9_-]{16,}/g },
  { name: 'Slack token', hints: ['xox'], expression: /\bxox[abeprs]-[A-Za-z0-9-]{8,}/g },
  { name: 'Google key', hints: ['aiza'], expression: /\bAIza[0-9A-Za-z_-]{30,}/g },
  { name: 'npm token', hints: ['npm_'], expression: /\bnpm_[A-Za-z0-9]{30,}/g },
  {
    name: 'authorization',
    hints: ['bearer', 'basic'],
    expression: /\b((?:bearer|basic)\s+)([A-Za-z0-9._~+/=-]{8,})/gi,
  },
  {
    name: 'authorization header',
    hints: ['authorization'],
    expression: /\b((?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:[A-Za-z]+\s+)?)([^\s"',;]{4,})/gi,
  },
  { name: 'cookie', hints: ['cookie'], expression: /\b((?:set-)?cookie["']?\s*:\s*["']?)([^\r\n"']{4,})/gi },
  {
    name: 'password in URL',
    hints: ['://'],
    expression: /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@"']{0,100}:)([^\s/@"']{1,200})(?=@)/gi,
  },
  // `NAME=value`, `name: value`, `"name": "value"` inside a text, `--name value`.
  {
    name: 'assignment',
    hints: NAMED,
    expression: new RegExp(
      `(\\b${ASSIGNED_NAME}(?:\\\\?["'])?\\s*(?::=|[=:])\\s*)("(?:[^"\\\\\\n]|\\\\.){3,}"|'[^'\\n]{3,}'|\\\\?["']?[^\\s"'&,;\\\\]{3,})`,
      'gi',
    ),
  },
  {
    name: 'argument',
    hints: NAMED,
    expression: new RegExp(`(--${ASSIGNED_NAME}\\s+)([^\\s"'-][^\\s"']{2,})`, 'gi'),
  },
];

/** Names of fields whose value is a secret whatever it looks like. */
const SECRET_FIELD =
  /(?:^|[_.-])(?:x?api_?key|api|auth)?_?(?:key_?secret|access_?key|private_?key|secret_?key|api_?key|secret|passw(?:or)?d|passphrase|pwd|credentials?|authorization|cookie|set_cookie|(?:access|refresh|id|auth|session|bearer|oauth|api|csrf|client)_?token|token|bearer)$/;

/** Whether a field of this name holds a secret. Counts of tokens and the tokens that correlate progress do not. */
export function isSecretField(name: string): boolean {
  if (name === 'progressToken') return false;
  // One spelling for apiKey, API_KEY, api-key and X-Api-Key.
  const snake = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[-.\s]/g, '_')
    .toLowerCase();
  return SECRET_FIELD.test(snake);
}

/** Fields that hold variables or headers: every value in them is hidden, as nobody can tell which is harmless. */
export const SEALED_FIELDS: ReadonlySet<string> = new Set(['env', 'headers']);

const WORDS = [
  ...new Set([...SECRET_PATTERNS.flatMap(({ hints }) => hints), 'pwd', '"env"', '"headers"', '\\u00']),
].filter((word) => word !== 'token' && word !== '://');

// One pass over a text in lower case: five times as fast as looking for each word, and twice as fast as without
// regard to case.
const ANY_WORD = new RegExp(WORDS.map((word) => word.replace(/\\/g, '\\\\')).join('|'));

// Usage counts have tokens in every message, and calls have a token for their progress: those are not meant.
const TOKEN = /(?<!progress)(?<!progress[_-])token(?!s)/;

/** Whether a text may hold a secret, or be the JSON of something that does; false is certain. An escape can hide a letter, so it counts. */
export function mayHoldSecret(text: string): boolean {
  const lower = text.toLowerCase();
  return (
    ANY_WORD.test(lower) ||
    (lower.includes('token') && TOKEN.test(lower)) ||
    (lower.includes('://') && lower.includes('@'))
  );
}

/** The patterns that a text is worth trying. */
export function choosePatterns(text: string): SecretPattern[] {
  const lower = text.toLowerCase();
  return SECRET_PATTERNS.filter(({ hints }) => hints.some((hint) => lower.includes(hint)));
}
