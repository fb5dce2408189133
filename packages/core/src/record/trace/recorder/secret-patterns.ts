// The forms of secrets inside texts. A text without any hint word has no secret, so only texts with one are searched.
// The time of every expression must be proportional to the length of the text, as `test/package/linear-patterns.test.ts`
// measures. So a repetition that may start anywhere is bounded, or cannot start inside another match of the same kind.
import { REDACTED } from '../trace-event.js';
import { hideTokens } from './json-web-token.js';
import { isSecretField } from './secret-names.js';

/** A form of secret. */
export interface SecretPattern {
  name: string;
  /** Hint words in lower case. A text without any of them cannot match. */
  hints: readonly string[];
  expression: RegExp;
  /**
   * The replacement of a match. Default: if the expression has two groups, the first stays and the second is hidden.
   * Otherwise the whole match is hidden.
   */
  hide?: (match: string, kept: string, hidden: string) => string;
}

const NAMED = ['x-amz', 'key', 'secret', 'pass', 'pw', 'otp', 'credential', 'token'];

// The word in a name that means a secret. The part of the name before it is not matched. The part after it is bounded,
// because an unbounded repetition would take quadratic time on long words.
const SECRET_WORD =
  '(?:(?:x-amz-signature|api[_-]?key|access[_-]?key|private[_-]?key|secret|passw(?:or)?d|passphrase|credentials?|auth[_-]?token|(?<!progress)(?<!progress[_-])token(?!s))[\\w-]{0,40}|(?<![a-z])(?:pass|pw|t?otp)(?![^=:]{0,4}[=:]\\s*(?:true|false|null)))(?![\\w-])';

// The end of a name and the sign after it. In JSON the name ends with a quote. If that JSON is inside another text, the
// quote has a backslash.
const ASSIGNS = `(?:\\\\{0,8}["'])?\\s*(?::=|[=:])\\s*`;
const QUOTED = `"(?:[^"\\\\\\n]|\\\\.)+"|'[^'\\n]+'|\\\\{1,8}"[^"\\\\\\n]+\\\\{1,8}"|\\\\{1,8}'[^'\\\\\\n]+\\\\{1,8}'`;
const ASSIGNED = `(?:${QUOTED}|\\\\{0,8}["']?[^\\s"'&,;\\\\]{3,})`;

// A character of the rest of the line, up to the quote around it. In JSON, line ends are written as escapes.
const restOfLine = (quote: string): string => `(?:[^\\r\\n\\\\${quote}]|\\\\(?![rn"']))`;
const COOKIE = '(?:set-)?cookie2?';

// The value of a parameter of `Digest`, as in `username="bob"`. Inside JSON its quotes have backslashes.
const PARAMETER = `\\s*=\\s*(?:\\\\{0,8}"[^"\\r\\n]*"|[^\\s",;]+)`;
const SCHEMES =
  'basic|bearer|digest|token|apikey|api-key|key|oauth|hawk|dpop|gnap|hoba|mutual|negotiate|ntlm|privatetoken|signature|vapid|aws4-[a-z0-9-]{1,40}|scram-[a-z0-9-]{1,40}';

const regExp = (source: string): RegExp => new RegExp(source, 'gi');

/** Secrets inside texts. */
const SECRET_PATTERNS: readonly SecretPattern[] = [
  {
    name: 'private key',
    hints: ['private key'],
    expression:
      /-----?BEGIN [A-Z0-9 ]{0,80}PRIVATE KEY(?: BLOCK)?-----?[\s\S]*?(?:-----?END [A-Z0-9 ]{0,80}PRIVATE KEY(?: BLOCK)?-----?|$)/g,
  },
  {
    name: 'SSH2 private key',
    hints: ['private key'],
    expression:
      /---- BEGIN SSH2 [A-Z0-9 ]{0,80}PRIVATE KEY ----[\s\S]*?(?:---- END SSH2 [A-Z0-9 ]{0,80}PRIVATE KEY ----|$)/g,
  },
  {
    name: 'PGP block',
    hints: ['begin pgp'],
    expression: /-----BEGIN PGP [A-Z ]{0,80}-----[\s\S]*?(?:-----END PGP [A-Z ]{0,80}-----|$)/g,
  },
  { name: 'sk key', hints: ['sk-'], expression: /\bsk-[A-Za-z0-9_-]{8,}/g },
  {
    name: 'payment key',
    hints: ['sk_', 'rk_', 'pk_', 'whsec_'],
    expression: /\b(?:sk|rk|pk|whsec)_(?:live_|test_)?[A-Za-z0-9]{12,}/g,
  },
  // Any chain of words with dots matches. `hideTokens` decides in one pass which of the words are a token.
  { name: 'JWT', hints: ['eyj'], expression: /[\w.-]+/g, hide: hideTokens },
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
    name: 'service token',
    hints: ['hf_', 'dop_v1_', 'hvs.', 'age-secret-key-', 'xapp-'],
    expression: /\b(?:(?:hf_|dop_v1_|hvs\.|xapp-)[\w-]{16,}|AGE-SECRET-KEY-1[A-Z0-9]{16,})/g,
  },
  {
    name: 'Slack webhook',
    hints: ['hooks.slack.com/'],
    expression: /(\bhooks\.slack\.com\/(?:services|workflows|triggers)\/)([\w/-]+)/g,
  },
  // The two schemes with a list of parameters come before the schemes with a single token.
  {
    name: 'digest',
    hints: ['digest'],
    expression: regExp(
      `\\b(digest\\s+)((?:username\\*?|realm|nonce|uri|response|qop|algorithm|opaque|cnonce|nc)${PARAMETER}(?:\\s*,\\s*[\\w*-]+${PARAMETER})*)`,
    ),
  },
  {
    name: 'AWS signature',
    hints: ['aws4-'],
    expression: regExp(
      `\\b(aws4-[a-z0-9-]{1,40}\\s+)((?:credential|signedheaders|signature)\\s*=\\s*[^\\s,"']+(?:\\s*,\\s*[a-z]+\\s*=\\s*[^\\s,"']+)*)`,
    ),
  },
  {
    name: 'authorization',
    hints: ['bearer', 'basic'],
    expression: /\b((?:bearer|basic)\s+)([A-Za-z0-9._~+/=-]{8,})/gi,
  },
  {
    name: 'authorization header',
    hints: ['authorization'],
    // Without a known scheme, the first word may be the scheme or the token, so both are hidden.
    expression: regExp(
      `\\b((?:proxy-)?authorization(?:\\\\{0,8}["'])?\\s*[:=]\\s*(?:\\\\{0,8}["'])?(?:(?:${SCHEMES})[ \\t]+)?)((?<=\\s)(?<=(?:${SCHEMES})\\s)[^\\s"',;\\\\]+|\\[redacted\\][^\\s"',;\\\\]*|[^\\s"',;\\\\]{4,}(?:[ \\t]+[^\\s"',;\\\\]+)?)`,
    ),
  },
  {
    name: 'cookie in quotes',
    hints: ['cookie'],
    expression: regExp(
      `((?<=")${COOKIE}\\s*:\\s*|${COOKIE}(?:\\\\{0,8}["'])\\s*:\\s*\\\\{0,8}")(${restOfLine('"')}{4,})`,
    ),
  },
  {
    name: 'cookie in single quotes',
    hints: ['cookie'],
    expression: regExp(
      `((?<=')${COOKIE}\\s*:\\s*|${COOKIE}(?:\\\\{0,8}["'])\\s*:\\s*\\\\{0,8}')(${restOfLine("'")}{4,})`,
    ),
  },
  {
    name: 'cookie',
    hints: ['cookie'],
    expression: regExp(`(?<!["'])\\b(${COOKIE}[ \\t]*:[ \\t]*)(${restOfLine('')}{4,})`),
  },
  {
    name: 'password in URL',
    hints: ['://'],
    expression: /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@"']{0,100}:)([^\s/@"']{1,200})(?=@)/gi,
  },
  // `…;Password=a b;…`: in a connection string a value ends only at the next semicolon.
  {
    name: 'connection string',
    hints: ['pwd', 'password'],
    expression: /(;\s*(?:password|pwd)\s*=\s*)([^;"'\r\n]+)/gi,
  },
  // `PWD=/home/me` and `PWD=$(pwd)` are folders, which are not hidden.
  {
    name: 'pwd',
    hints: ['pwd'],
    expression: regExp(`((?<![a-z])pwd${ASSIGNS})(${ASSIGNED})`),
    hide: (match, kept, hidden) =>
      hidden.startsWith('$') || !isSecretField('pwd', unquote(hidden)) ? match : hideValue(kept, hidden),
  },
  // `--name value`, `-name=value`. This comes before the assignments, because it also matches shorter values.
  {
    name: 'argument',
    hints: NAMED,
    expression: regExp(
      `((?<![\\w-])--?[\\w.-]{0,60}${SECRET_WORD}(?:=|[ \\t]+(?:\\\\\\r?\\n[ \\t]*)?|\\\\{0,8}["'],\\s*(?=\\\\{0,8}["'])))(${QUOTED}|(?!--|["'])[^\\s"'\\\\]+)`,
    ),
  },
  // `name: NAME` with `value: …` on the next line, as in lists of variables in YAML.
  {
    name: 'pair',
    hints: NAMED,
    expression: regExp(
      `((?<!\\w)(?:name|key)${ASSIGNS}(?:\\\\{0,8}["'])?[\\w.-]{0,60}${SECRET_WORD}(?:\\\\{0,8}["'])?[\\s,]{1,80}(?:\\\\{0,8}["'])?value${ASSIGNS})(${ASSIGNED})`,
    ),
  },
  {
    name: 'XML element',
    hints: NAMED,
    expression: regExp(`(<[\\w:.-]{0,60}${SECRET_WORD}>)([^<]+)`),
  },
  { name: 'netrc', hints: ['password'], expression: /(\blogin\s+\S{1,100}\s+password\s+)(\S+)/g },
  // The value follows `-p` without a space. In `-p secret`, the word would be the name of a database.
  {
    name: 'mysql password',
    hints: ['mysql', 'mariadb'],
    expression: regExp(
      `((?<=(?:mysql|mariadb)[^\\r\\n|;&]{0,300}[ \\t"'])-p(?!(?:ort|rotocol|ipe|lugin|rint0?|ath|rune|erm)\\b))(${QUOTED}|[^\\s"'\\\\]+)`,
    ),
  },
  { name: 'sshpass', hints: ['sshpass'], expression: /(\bsshpass\s+-p[ \t]*)(\S+)/g },
  {
    name: 'curl user',
    hints: ['curl'],
    expression: /((?<![\w-])(?:-[uU]|--user|--proxy-user)[ \t=]{0,8}["']?[^\s:"']{1,100}:)([^\s"']+)/g,
  },
  {
    name: 'curl cookie',
    hints: ['curl'],
    expression: regExp(
      `((?<![\\w-])(?:-b|--cookie)[ \\t=]{0,8})(${QUOTED}|[^\\s"'\\\\=]{1,100}=[^\\s"'\\\\]+)`,
    ),
  },
  // In Azure, everyone who has an address with a signature has access to its content.
  { name: 'signed address', hints: ['sig='], expression: /([?&;\s]sig=)([^\s"'&;\\]{8,})/gi },
  // `"auth": "dXNlcjpwYXNz"` of Docker and `_auth=…` of npm hold a name and a password. Ordinary words are not hidden.
  {
    name: 'registry login',
    hints: ['auth"', "auth'", 'auth\\', 'auth=', 'auth:', 'auth '],
    expression: regExp(`((?<![a-z])auth${ASSIGNS})(${ASSIGNED})`),
    hide: (match, kept, hidden) => (isSecretField('auth', unquote(hidden)) ? hideValue(kept, hidden) : match),
  },
  // `NAME=value`, `name: value`, `"name": "value"` inside a text.
  { name: 'assignment', hints: NAMED, expression: regExp(`(${SECRET_WORD}${ASSIGNS})(${ASSIGNED})`) },
  {
    name: 'random key',
    hints: ['key'],
    expression: regExp(`((?<![\\w.-])[\\w.-]{1,100}key(?:${ASSIGNS}|[ \\t]+))(${ASSIGNED})`),
    hide: (match, kept, hidden) => {
      const name = /^-{0,2}([\w.-]+)/.exec(kept)?.[1] ?? '';
      return isSecretField(name, unquote(hidden)) ? hideValue(kept, hidden) : match;
    },
  },
];

// Hints for fields whose values are secrets because of their place, in a frame or in JSON inside a text of a frame. An
// escape is also a hint, because any letter of a name may be written as one.
const PLACES = ['"env"', '"headers"', '"env\\', '"headers\\', '\\u00'];

const WORDS = [...new Set([...SECRET_PATTERNS.flatMap(({ hints }) => hints), 'bearer', ...PLACES])].filter(
  (word) => word !== 'token' && word !== '://',
);

// Finds any hint word in one pass over a text in lower case. This is five times as fast as a search for each word, and
// twice as fast as a case-insensitive search.
const ANY_WORD = new RegExp(WORDS.map((word) => word.replace(/\\/g, '\\\\')).join('|'));

// The word "token" as a hint. Every message has counts of tokens, and calls have a progress token. Those are no secrets.
const TOKEN = /(?<!progress)(?<!progress[_-])token(?!s)/;

/**
 * Whether a text may hold a secret, or may be JSON that does. If false, it surely holds none. An escape counts as a hint,
 * because it can stand for a letter of a hint word.
 */
export function mayHoldSecret(text: string): boolean {
  const lower = text.toLowerCase();
  return (
    ANY_WORD.test(lower) ||
    (lower.includes('token') && TOKEN.test(lower)) ||
    (lower.includes('://') && lower.includes('@'))
  );
}

/** The text with every known form of secret hidden. */
export function hideForms(text: string): string {
  const lower = text.toLowerCase();
  let clean = text;
  for (const { hints, expression, hide = hideMatch } of SECRET_PATTERNS)
    if (hints.some((hint) => lower.includes(hint))) clean = clean.replace(expression, hide);
  return clean;
}

function hideMatch(_match: string, kept: unknown, hidden: unknown): string {
  // If the expression has no groups, the second argument is an offset.
  return typeof kept === 'string' && typeof hidden === 'string' ? hideValue(kept, hidden) : REDACTED;
}

const OPENING_QUOTE = /^\\{0,8}["']/;

function hideValue(kept: string, hidden: string): string {
  const quote = OPENING_QUOTE.exec(hidden)?.[0] ?? '';
  const closing = quote !== '' && hidden.endsWith(quote) && hidden.length > quote.length ? quote : '';
  return `${kept}${quote}${REDACTED}${closing}`;
}

function unquote(text: string): string {
  const quote = OPENING_QUOTE.exec(text)?.[0] ?? '';
  const inner = text.slice(quote.length);
  return quote !== '' && inner.endsWith(quote) ? inner.slice(0, -quote.length) : inner;
}
