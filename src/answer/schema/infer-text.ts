// The types that fields written as text stand for. Types only.

// The grammar of shorthand.ts. A colon inside quotes is beyond it: such a field is `unknown` to the compiler.
type TypeOf<Text extends string> = Text extends `${infer Type}:${string}` ? Trim<Type> : Trim<Text>;

/** Whether a field written as text may be left out. */
export type IsOptionalText<Text extends string> = TypeOf<Text> extends `${string}?` ? true : false;

/** The type a field written as text has. */
export type InferText<Text extends string> =
  TypeOf<Text> extends `${infer Type}?` ? InferUnion<Type> : InferUnion<TypeOf<Text>>;

type InferUnion<Type extends string> = Type extends `${infer Head}|${infer Tail}`
  ? InferAtom<Trim<Head>> | InferUnion<Tail>
  : InferAtom<Trim<Type>>;

type InferAtom<Type extends string> = Type extends `${infer Item}[]`
  ? InferAtom<Trim<Item>>[]
  : Type extends keyof NamedTypes
    ? NamedTypes[Type]
    : Type extends `'${infer Literal}'` | `"${infer Literal}"`
      ? Literal
      : Type extends `${infer Value extends number | boolean}`
        ? Value
        : unknown;

interface NamedTypes {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
  object: Record<string, unknown>;
  array: unknown[];
  any: unknown;
}

type Trim<Text extends string> = Text extends ` ${infer Rest}` | `${infer Rest} ` ? Trim<Rest> : Text;
