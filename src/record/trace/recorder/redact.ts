// Takes secrets out of what is about to be written. It errs on the side of hiding: a hidden harmless text
// costs a look elsewhere, a recorded key costs a key.
import { choosePatterns, isSecretField, mayHoldSecret, SEALED_FIELDS } from './secret-patterns.js';
import { REDACTED } from '../trace-event.js';

/** What to hide beside what is hidden always: known forms of keys and tokens, fields named like secrets, values of `env` and `headers`. */
export interface RedactOptions {
  /** More field names; a string is compared without regard to case. */
  fields?: readonly (string | RegExp)[] | undefined;
  /** More forms of secrets inside texts; what they match is hidden. */
  patterns?: readonly RegExp[] | undefined;
  /** Texts that are hidden wherever they stand. Those of fewer than 4 characters are left alone. */
  values?: readonly string[] | undefined;
  /** Has the last word on every text, after everything else; `path` leads to it. What it throws hides the text. */
  text?: ((text: string, path: readonly string[]) => string) | undefined;
}

/** Hides secrets in lines and texts. */
export interface Redactor {
  /** A text that is not JSON. */
  redactText(text: string): string;
  /** A decoded frame; the same object when there was nothing to hide. */
  redactValue<T>(value: T): T;
  /** Whether a line need not be looked at any closer. */
  isClean(line: string): boolean;
}

/** A redactor that hides nothing. */
const NO_REDACTION: Redactor = {
  redactText: (text) => text,
  redactValue: (value) => value,
  isClean: () => true,
};

const MIN_VALUE_LENGTH = 4;

/** Makes a redactor; `false` makes one that hides nothing. */
export function createRedactor(options: RedactOptions | false = {}): Redactor {
  if (options === false) return NO_REDACTION;
  const { fields = [], patterns = [], text: custom } = options;
  const names = new Set(fields.flatMap((field) => (typeof field === 'string' ? field.toLowerCase() : [])));
  const nameForms = fields.filter((field) => field instanceof RegExp);
  const own = patterns.map((pattern) => withGlobal(pattern));
  const values = [...new Set(options.values ?? [])]
    .filter((value) => value.length >= MIN_VALUE_LENGTH)
    // A long one may hold a short one.
    .sort((one, other) => other.length - one.length);
  // JSON may spell a value with escapes, so that it is looked for in both spellings.
  const spelled = [...new Set(values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]))];
  // What only a closer look can find makes every line worth one.
  const isAlwaysDoubtful = custom !== undefined || own.length > 0 || fields.length > 0;

  const isSecretName = (name: string): boolean =>
    isSecretField(name) ||
    names.has(name.toLowerCase()) ||
    nameForms.some((form) => {
      form.lastIndex = 0;
      return form.test(name);
    });

  const hideForms = (text: string): string => {
    let clean = text;
    for (const value of spelled) if (clean.includes(value)) clean = clean.replaceAll(value, REDACTED);
    for (const { expression } of choosePatterns(clean)) {
      clean = clean.replace(expression, hideMatch);
    }
    for (const pattern of own) clean = clean.replace(pattern, REDACTED);
    return clean;
  };

  const hideIn = (text: string, path: readonly string[]): string => {
    const clean = hideForms(text);
    if (!custom) return clean;
    try {
      const chosen: unknown = custom(clean, path);
      return typeof chosen === 'string' ? chosen : REDACTED;
    } catch {
      return REDACTED;
    }
  };

  const walk = (value: unknown, path: string[], sealed: boolean): unknown => {
    if (typeof value === 'string') return sealed && value !== '' ? REDACTED : hideIn(value, path);
    if (sealed && typeof value === 'number') return REDACTED;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return walkList(value, path, sealed);
    return walkFields(value as Record<string, unknown>, path, sealed);
  };

  const walkList = (list: unknown[], path: string[], sealed: boolean): unknown[] => {
    let copy: unknown[] | undefined;
    list.forEach((item, index) => {
      path.push(String(index));
      const clean = walk(item, path, sealed);
      path.pop();
      if (clean === item) return;
      copy ??= [...list];
      copy[index] = clean;
    });
    return copy ?? list;
  };

  const walkFields = (fields: Record<string, unknown>, path: string[], sealed: boolean): object => {
    let copy: Record<string, unknown> | undefined;
    // A schema that describes a password has no password in it.
    const isSchema = path.at(-1) === 'properties';
    for (const [name, value] of Object.entries(fields)) {
      path.push(name);
      const seals = !isSchema && (isSecretName(name) || (SEALED_FIELDS.has(name) && isFields(value)));
      const clean = walk(value, path, sealed || seals);
      path.pop();
      const cleanName = hideForms(name);
      if (clean === value && cleanName === name) continue;
      copy ??= { ...fields };
      if (cleanName !== name) delete copy[name];
      copy[cleanName] = clean;
    }
    return copy ?? fields;
  };

  return {
    redactText: (text) => hideIn(text, []),
    redactValue: <T>(value: T) => walk(value, [], false) as T,
    isClean: (line) =>
      !isAlwaysDoubtful && !mayHoldSecret(line) && !spelled.some((value) => line.includes(value)),
  };
}

// The shell's working folder is named like a password, and is part of most paths.
const FOLDERS: ReadonlySet<string> = new Set(['PWD', 'OLDPWD']);

/** The values of variables that are named like secrets: wherever they turn up, they are hidden. */
export function listSecretValues(env: Readonly<Record<string, string | undefined>>): string[] {
  // Short ones would hide half of the language.
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= 8 && isSecretField(name) && !FOLDERS.has(name) ? value : [],
  );
}

function hideMatch(match: string, kept: unknown, hidden: unknown): string {
  // Without groups the second argument is an offset.
  if (typeof kept !== 'string' || typeof hidden !== 'string') return REDACTED;
  if (hidden.includes(REDACTED)) return match;
  const quote = /^(?:\\?["'])/.exec(hidden)?.[0] ?? '';
  const closing = quote !== '' && hidden.endsWith(quote) && hidden.length > quote.length ? quote : '';
  return `${kept}${quote}${REDACTED}${closing}`;
}

/** A list of words under `headers` is the head of a table; pairs and objects are not. */
function isFields(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => typeof item === 'object' && item !== null);
  return typeof value === 'object' && value !== null;
}

function withGlobal(pattern: RegExp): RegExp {
  return pattern.global ? pattern : new RegExp(pattern.source, `${pattern.flags}g`);
}
