// The result of compiling a schema of any library: a JSON Schema to list and a validator to call.

/** A JSON Schema object; key order is kept, since it is what the model reads. */
export type JsonSchema = { [key: string]: unknown };

/** One reason a value was refused; an empty `path` means the value as a whole. */
export interface SchemaIssue {
  path: (string | number)[];
  message: string;
}

/** `value` is what the schema made of the input: defaults applied, transforms run. */
export type ValidationResult = { ok: true; value: unknown } | { ok: false; issues: SchemaIssue[] };

/** A schema of any library, ready for use. */
export interface CompiledSchema {
  /** For `tools/list`: always `type: "object"` at the top, never a union there. */
  jsonSchema: JsonSchema;
  /** A promise only where the schema itself is asynchronous, or while the JSON Schema validator loads. */
  validate: (value: unknown) => ValidationResult | Promise<ValidationResult>;
}

/** Whose schema it is; every error names it. */
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

/** Names the kind of a value as messages do: `null` and `array` are kinds of their own. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
