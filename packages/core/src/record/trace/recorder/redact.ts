// Removes secrets from everything that is about to be written to a trace. In doubt it hides a text, because a recorded
// key does more harm than a hidden harmless text.
import { isRecord, isThenable } from '../../../util/guards.js';
import { checkRedact } from '../../../util/redact-problem.js';
import { hiddenCharacters, REDACTED } from '../trace-event.js';
import { rewriteJsonText } from './json-text.js';
import { rewriteTree, type TreeVisitor } from './rewrite-tree.js';
import { isPairedValue, isSecretField, listPairedNames, nameOfFlag, SEALED_FIELDS } from './secret-names.js';
import { hideForms, mayHoldSecret } from './secret-patterns.js';
import { spellValues } from './spell-values.js';

/**
 * What to hide in addition. Always hidden are known forms of keys and tokens, fields that are named like secrets, and the
 * values of `env` and `headers`.
 */
export interface RedactOptions {
  /** More names of fields to hide. The case of a string does not matter. */
  fields?: readonly (string | RegExp)[] | undefined;
  /** More forms of secrets inside texts. The matched text is hidden. */
  patterns?: readonly RegExp[] | undefined;
  /** Texts that are hidden wherever they occur. Texts with fewer than 4 characters are ignored. */
  values?: readonly string[] | undefined;
  /**
   * Gets every text that no other rule hides as a whole, and returns the text to record. `path` is the place of the text.
   * If the function throws, the text is hidden.
   */
  text?: ((text: string, path: readonly string[]) => string) | undefined;
  /** How many characters of a line are searched for secrets. The rest is replaced by its size. Default 4 Mi. */
  maxCharacters?: number | undefined;
}

/** Hides secrets in lines and texts. */
export interface Redactor {
  /** Hides the secrets in a text. */
  redactText(text: string): string;
  /** Hides the secrets in a decoded frame. Returns the same object if there was nothing to hide. */
  redactValue<T>(value: T): T;
  /** Whether a line surely has no secrets, so that it need not be searched. */
  isClean(line: string): boolean;
}

/** A redactor that hides nothing. */
const NO_REDACTION: Redactor = {
  redactText: (text) => text,
  redactValue: (value) => value,
  isClean: () => true,
};

/** A search takes at worst half a second for each Mi. Images and files in tool results rarely have more than 4 Mi. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/**
 * How many levels of JSON inside the texts of other JSON are searched, as when a program printed the answer of another
 * one. Each level doubles the backslashes, so deeper levels are rare.
 */
const MAX_TEXT_DEPTH = 3;

/** How a value is treated because of its place. `secret-schema` is for the schema of a secret: its examples are hidden. */
type Treatment = 'open' | 'sealed' | 'secret-schema';

/** Makes a redactor; `false` makes one that hides nothing. */
export function createRedactor(options: RedactOptions | false = {}): Redactor {
  checkRedact(options, 'createRedactor()');
  if (options === false) return NO_REDACTION;
  const { fields = [], patterns = [], text: custom, maxCharacters = MAX_CHARACTERS } = options;
  const names = new Set(fields.flatMap((field) => (typeof field === 'string' ? field.toLowerCase() : [])));
  const nameForms = fields.filter((field) => field instanceof RegExp);
  const own = patterns.map((pattern) => withGlobal(pattern));
  const spelled = spellValues(options.values ?? []);
  // These options can match any text, so every line must be searched.
  const isAlwaysDoubtful = custom !== undefined || own.length > 0 || fields.length > 0;

  const isSecretName = (name: string, value: unknown): boolean =>
    isSecretField(name, value) ||
    names.has(name.toLowerCase()) ||
    nameForms.some((form) => {
      form.lastIndex = 0;
      return form.test(name);
    });

  const mayHoldKnown = (text: string): boolean =>
    mayHoldSecret(text) || spelled.some((value) => text.includes(value));

  const hideAll = (text: string, depth = 0): string => {
    let clean = text;
    if (depth < MAX_TEXT_DEPTH) {
      const hideInside = (inner: string): string => hideAll(inner, depth + 1);
      const visitor = createVisitor(hideInside, hideInside);
      clean = rewriteJsonText(text, (value) => rewriteTree<Treatment>(value, 'open', visitor));
    }
    for (const value of spelled) if (clean.includes(value)) clean = clean.replaceAll(value, REDACTED);
    clean = hideForms(clean);
    for (const pattern of own) clean = clean.replace(pattern, REDACTED);
    return clean;
  };

  /** Hides secrets within one line, up to the limit of characters. */
  const createLine = (): TreeVisitor<Treatment> => {
    let left = maxCharacters;
    const hide = (text: string): string => {
      // A text without hint words needs no search. But own patterns, or own field names in JSON, have no hint words.
      if (own.length === 0 && fields.length === 0 && !mayHoldKnown(text)) return text;
      if (text.length <= left) {
        left -= text.length;
        return hideAll(text);
      }
      const cut = findCut(text, left, spelled);
      left = 0;
      return `${hideAll(text.slice(0, cut))}${hiddenCharacters(text.length - cut)}`;
    };
    const hideIn = (text: string, path: readonly string[]): string => {
      const clean = hide(text);
      if (!custom) return clean;
      try {
        const chosen: unknown = custom(clean, path);
        // The callback must be synchronous. If it returns a promise, the text is hidden, and a rejection is ignored.
        if (isThenable(chosen)) Promise.resolve(chosen).catch(() => {});
        return typeof chosen === 'string' ? chosen : REDACTED;
      } catch {
        return REDACTED;
      }
    };
    return createVisitor(hide, hideIn);
  };

  /** Hides values by their place. Other names and texts are passed to the given functions. */
  const createVisitor = (
    hideName: (name: string) => string,
    hideText: (text: string, path: readonly string[]) => string,
  ): TreeVisitor<Treatment> => {
    return {
      name: hideName,
      leaf: (value, treatment, path) => {
        if (typeof value === 'string')
          return treatment === 'sealed' && value !== '' ? REDACTED : hideText(value, path);
        return treatment === 'sealed' && typeof value === 'number' ? REDACTED : value;
      },
      enter: (container, treatment, path) => {
        if (treatment === 'sealed') return () => 'sealed';
        if (Array.isArray(container)) {
          const isEntry = container.length === 2 && /^\d+$/.test(path.at(-1) ?? '');
          return (index, value) => {
            const before: unknown = container[Number(index) - 1];
            // A pair in a list of headers or entries: `[['X-Api-Key', '…']]`.
            const isNamed = isEntry && typeof before === 'string' && isSecretName(before, value);
            return isNamed || isArgument(before, value) ? 'sealed' : treatment;
          };
        }
        if (treatment === 'secret-schema')
          return (name) => (SCHEMA_WORDS.has(name) ? 'secret-schema' : 'sealed');
        const isSchemas = path.at(-1) === 'properties';
        const paired = listPairedNames(container as Record<string, unknown>);
        return (name, value) => {
          if (SEALED_FIELDS.has(name) && isFields(value)) return 'sealed';
          if (isPairedValue(name) && paired.some((each) => isSecretName(each, value))) return 'sealed';
          if (!isSecretName(name, value)) return 'open';
          // The schema of a password contains no password, except as an example.
          return isSchemas && isSchema(value) ? 'secret-schema' : 'sealed';
        };
      },
    };
  };

  const isArgument = (before: unknown, value: unknown): boolean => {
    const flag = typeof value === 'string' ? nameOfFlag(before) : undefined;
    return flag !== undefined && !(value as string).startsWith('--') && isSecretName(flag, value);
  };

  return {
    redactText: (text) => createLine().leaf(text, 'open', []) as string,
    redactValue: <T>(value: T) => rewriteTree<Treatment>(value, 'open', createLine()) as T,
    isClean: (line) => !isAlwaysDoubtful && !mayHoldKnown(line),
  };
}

/**
 * Where to cut a text. It is not cut inside a known value, nor inside a word of fewer than 4096 characters, because half a
 * key would not be recognized.
 */
function findCut(text: string, limit: number, values: readonly string[]): number {
  let cut = limit;
  const least = Math.max(0, limit - LONGEST_WORD);
  while (cut > least && /[\w+/=.~-]/.test(text.charAt(cut - 1))) cut -= 1;
  if (cut === least) cut = limit;
  for (const value of values) {
    const found = text.slice(Math.max(0, cut - value.length + 1), cut + value.length - 1).indexOf(value);
    if (found >= 0) cut = Math.max(0, cut - value.length + 1) + found;
  }
  return cut;
}

const LONGEST_WORD = 4096;

/** The keywords that are kept in the schema of a secret. `default` and `examples` are not among them. */
const SCHEMA_WORDS: ReadonlySet<string> = new Set([
  'type',
  'title',
  'description',
  'format',
  'pattern',
  '$ref',
  '$comment',
  'contentEncoding',
  'items',
  'properties',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'additionalProperties',
  'required',
  'enum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'multipleOf',
]);
const SCHEMA_TYPES: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
]);

function isSchema(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const types = [value['type'] ?? []].flat();
  return (
    types.every((type) => SCHEMA_TYPES.has(type)) && Object.keys(value).some((name) => SCHEMA_WORDS.has(name))
  );
}

/** Whether a value has variables or headers. A mere list of words under `headers` is the head of a table. */
function isFields(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => typeof item === 'object' && item !== null);
  return typeof value === 'object' && value !== null;
}

function withGlobal(pattern: RegExp): RegExp {
  return pattern.global ? pattern : new RegExp(pattern.source, `${pattern.flags}g`);
}
