// Defines what a schema of any library is compiled to: a JSON Schema to list, and a validator to call.
import { cutText } from '../../util/bounded-text.js';

/** A JSON Schema object. The order of its keys is kept, because the model reads the schema. */
export type JsonSchema = { [key: string]: unknown };

/** One reason why a value was refused. An empty `path` stands for the whole value. */
export interface SchemaIssue {
  path: (string | number)[];
  message: string;
}

/** The result of a validation. `value` is the input after the schema has applied its defaults and transforms. */
export type ValidationResult = { ok: true; value: unknown } | { ok: false; issues: SchemaIssue[] };

/** A schema of any library, ready for use. */
export interface CompiledSchema {
  /** The schema for `tools/list`. At its top it always has `type: "object"` and never a union. */
  readonly jsonSchema: JsonSchema;
  /** Returns a promise if the schema is or may be asynchronous, and while the JSON Schema validator loads. */
  validate: (value: unknown) => ValidationResult | Promise<ValidationResult>;
}

/** Makes the two halves of a compiled schema. Neither half needs the other. */
export interface SchemaSource {
  /** Writes the JSON Schema. Throws a SchemaError if the schema has none. */
  write(): JsonSchema;
  /** Makes the validator. Throws a SchemaError if the schema cannot validate. */
  bind(): CompiledSchema['validate'];
}

/** Compiles both halves now, so that every mistake is reported now. */
export function compileAtOnce(source: SchemaSource): CompiledSchema {
  return { jsonSchema: source.write(), validate: source.bind() };
}

/**
 * Compiles each half on first use, for schemas that are known to have both. Most tools of a large server are never
 * called, and binding validators took a third of the time to make such a server.
 */
export function compileOnUse(source: SchemaSource): CompiledSchema {
  return new SchemaOnUse(source);
}

// This is a class, because defining a getter in each object would cost more than compiling later saves.
class SchemaOnUse implements CompiledSchema {
  readonly #source: SchemaSource;
  #jsonSchema: JsonSchema | undefined;

  constructor(source: SchemaSource) {
    this.#source = source;
  }

  get jsonSchema(): JsonSchema {
    this.#jsonSchema ??= this.#source.write();
    return this.#jsonSchema;
  }

  /** Replaces itself by the validator on the first call. */
  validate: CompiledSchema['validate'] = (value) => {
    this.validate = this.#source.bind();
    return this.validate(value);
  };
}

/** The owner of a schema. Every error names it. */
export interface SchemaSubject {
  tool: string;
  side: 'input' | 'output';
  /** How errors name the schema, where it is not that of a tool. */
  subject?: string;
}

/** The dialect of every JSON Schema written here. */
export const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';

/** Sets a key as an own property even when it is called `__proto__`. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  else target[key] = value;
}

/** A received value, for a message that lists the allowed ones. Only a text, number or boolean is shown itself. */
export function showChoice(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(cutText(value, SHOWN_CHARACTERS));
    case 'number':
    case 'boolean':
      return String(value);
    default:
      return kindOf(value);
  }
}

const SHOWN_CHARACTERS = 60;

/** The kind of a value as messages name it. `null` and `array` are kinds of their own. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
