// Infers the type of the values that a JSON Schema describes, if the schema's own type is made of literals. Types only.

/**
 * The type of the object that a JSON Schema describes. `Record<string, unknown>` if the schema's type does not tell. Keys
 * that are not listed are allowed only if the schema has an `additionalProperties` other than false, so that the compiler
 * finds misspelled keys.
 */
export type InferJsonRoot<Schema> =
  InferNode<Schema, Depth> extends infer Value
    ? unknown extends Value
      ? Record<string, unknown>
      : Extract<Value, object>
    : never;

// This list gets one entry shorter at each level. Values below its end are `unknown`, because the recursion must end before
// the compiler gives up.
type Depth = [0, 0, 0, 0, 0, 0, 0, 0];

type InferNode<Schema, Left extends unknown[]> = Left extends [unknown, ...infer Fewer]
  ? Schema extends { readonly const: infer Value }
    ? Plain<Value>
    : Schema extends { readonly enum: readonly (infer Value)[] }
      ? Plain<Value>
      : InferOwn<Schema, Fewer> & InferChoice<Schema, Fewer> & InferAll<Schema, Fewer>
  : unknown;

type InferOwn<Schema, Left extends unknown[]> = Schema extends { readonly type: infer Type }
  ? InferType<Type extends readonly unknown[] ? Type[number] : Type, Schema, Left>
  : Schema extends { readonly properties: object }
    ? InferObject<Schema, Left>
    : unknown;

type InferChoice<Schema, Left extends unknown[]> = Schema extends
  { readonly anyOf: readonly (infer Choice)[] } | { readonly oneOf: readonly (infer Choice)[] }
  ? Choice extends unknown
    ? InferNode<Choice, Left>
    : never
  : unknown;

type InferAll<Schema, Left extends unknown[]> = Schema extends { readonly allOf: infer Parts }
  ? InferEach<Parts, Left>
  : unknown;

type InferEach<Parts, Left extends unknown[]> = Parts extends readonly [infer First, ...infer Rest]
  ? InferNode<First, Left> & InferEach<Rest, Left>
  : unknown;

// For a union of several types, the compiler applies this to each of them.
type InferType<Type, Schema, Left extends unknown[]> = Type extends 'object'
  ? InferObject<Schema, Left>
  : Type extends 'array'
    ? InferArray<Schema, Left>
    : Type extends keyof NamedTypes
      ? NamedTypes[Type]
      : unknown;

/** The TypeScript types of the simple types that schemas name. */
export interface NamedTypes {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
}

type InferArray<Schema, Left extends unknown[]> = Schema extends {
  readonly prefixItems: infer Items extends readonly unknown[];
}
  ? [
      ...{ -readonly [Index in keyof Items]: InferNode<Items[Index], Left> },
      ...(Schema extends { readonly items: false } ? [] : InferItems<Schema, Left>),
    ]
  : InferItems<Schema, Left>;

type InferItems<Schema, Left extends unknown[]> = Schema extends { readonly items: infer Item }
  ? InferNode<Item, Left>[]
  : unknown[];

type InferObject<Schema, Left extends unknown[]> = Schema extends { readonly properties: infer Properties }
  ? keyof Properties extends never
    ? InferRecord<Schema, Left>
    : IsLiteral<Schema, Properties> extends true
      ? Flatten<InferProperties<Properties, RequiredKey<Schema>, Left> & InferMore<Schema>>
      : Record<string, unknown>
  : InferRecord<Schema, Left>;

type InferProperties<Properties, Needed, Left extends unknown[]> = {
  -readonly [Key in keyof Properties as Key extends Needed ? Key : never]: InferNode<Properties[Key], Left>;
} & {
  -readonly [Key in keyof Properties as Key extends Needed ? never : Key]?: InferNode<Properties[Key], Left>;
};

type InferMore<Schema> = Schema extends { readonly additionalProperties: infer More }
  ? More extends false
    ? unknown
    : { [key: string]: unknown }
  : unknown;

type InferRecord<Schema, Left extends unknown[]> = Schema extends {
  readonly additionalProperties: infer More;
}
  ? More extends false
    ? Record<string, never>
    : Record<string, InferNode<More, Left>>
  : Record<string, unknown>;

type RequiredKey<Schema> = Schema extends { readonly required: readonly (infer Key)[] } ? Key : never;

// Whether the compiler knows every key, and which keys are required.
type IsLiteral<Schema, Properties> = string extends keyof Properties | RequiredKey<Schema> ? false : true;

// A literal without the `readonly` that `as const` puts everywhere.
type Plain<Value> = Value extends object ? { -readonly [Key in keyof Value]: Plain<Value[Key]> } : Value;

// The empty intersection makes editors show the fields and not the name of this type.
type Flatten<T> = { [key in keyof T]: T[key] } & {};
