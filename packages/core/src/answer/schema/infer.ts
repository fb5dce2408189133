// Infers from the type of a schema of any library what a handler gets and what a caller may send. Types only.
import type { JsonSchema } from './compiled-schema.js';
import type { InferJsonRoot } from './infer-json.js';
import type { InferText, IsOptionalText, TextProblem } from './infer-text.js';

interface Zod4Typed {
  _zod: { input: unknown; output: unknown };
}

interface Zod3Typed {
  _input: unknown;
  _output: unknown;
  _def: unknown;
}

interface StandardTyped {
  '~standard': { version: 1; vendor: string; types?: { input: unknown; output: unknown } | undefined };
}

/** A schema of a library: zod 3 or 4, or any that follows Standard Schema. */
export type TypedSchema = Zod4Typed | Zod3Typed | StandardTyped;

/** A schema of a library, a shape of several, or none. */
export type LibraryInput = TypedSchema | { readonly [field: string]: TypedSchema } | undefined;

/** Anything `compileSchema` takes. Infer it with a `const` type parameter, so that texts keep their literal types. */
export type AnySchema =
  TypedSchema | { readonly [field: string]: TypedSchema | string } | JsonSchema | undefined;

/** The value that a caller may send. Fields with a default may be left out. */
export type InferInput<S> = Infer<S, 'input'>;

/** The value that a handler gets, after defaults and transforms. */
export type InferOutput<S> = Infer<S, 'output'>;

type Side = 'input' | 'output';

type Infer<S, Which extends Side> = S extends undefined
  ? Record<string, never>
  : S extends TypedSchema
    ? InferTyped<S, Which>
    : S extends PlainJsonSchema
      ? InferJsonRoot<S>
      : string extends keyof S
        ? Record<string, unknown>
        : keyof S extends never
          ? Record<string, never>
          : S extends { readonly [field in keyof S]: TypedSchema | string }
            ? InferShape<S, Which>
            : InferJsonRoot<S>;

/** An object that counts as a JSON Schema even if all of its values are texts. */
type PlainJsonSchema = { readonly type: 'object' } | { readonly $ref: string } | { readonly $schema: string };

/** `never` if each text of a shape spells a type, as 'string[]' does. Otherwise a type whose error names the mistake. */
export type SchemaProblem<S> = S extends TypedSchema | PlainJsonSchema | undefined
  ? never
  : string extends keyof S
    ? never
    : S extends { readonly [field in keyof S]: TypedSchema | string }
      ? { [field in keyof S]: S[field] extends string ? TextProblem<S[field]> : never }[keyof S]
      : never;

type InferTyped<S, Which extends Side> = S extends Zod4Typed
  ? S['_zod'][Which]
  : S extends Zod3Typed
    ? S[`_${Which}`]
    : S extends StandardTyped
      ? NonNullable<S['~standard']['types']>[Which]
      : never;

type InferShape<S, Which extends Side> = Flatten<
  {
    -readonly [key in keyof S as IsOptional<S[key], Which> extends true ? never : key]: InferField<
      S[key],
      Which
    >;
  } & {
    -readonly [key in keyof S as IsOptional<S[key], Which> extends true ? key : never]?: InferField<
      S[key],
      Which
    >;
  }
>;

// The empty intersection makes editors show the fields and not the name of this type.
type Flatten<T> = { [key in keyof T]: T[key] } & {};

type InferField<F, Which extends Side> = F extends string ? InferText<F> : InferTyped<F, Which>;

type IsOptional<F, Which extends Side> = F extends string
  ? IsOptionalText<F, Which>
  : F extends Zod4Typed
    ? F extends { _zod: Which extends 'input' ? { optin: 'optional' | 'defaulted' } : { optout: 'optional' } }
      ? true
      : false
    : undefined extends InferTyped<F, Which>
      ? true
      : false;
