// Infers the types of fields written as text. The compiler reads the same grammar here that `shorthand` reads at run time.
// Types only.
import type { NamedTypes } from './infer-json.js';

/** Whether a field written as text may be left out by a caller, or may be absent for a handler, which gets defaults. */
export type IsOptionalText<Text extends string, Which extends 'input' | 'output'> =
  ParseText<Text> extends { absent: infer Absent } ? (Absent extends Which | 'both' ? true : false) : false;

/** The type of a field written as text; `unknown` if the text's type is not a literal, or the text is no type. */
export type InferText<Text extends string> = ParseText<Text> extends { type: infer Type } ? Type : unknown;

/** What is wrong with a literal text that is no type; otherwise `never`. */
export type TextProblem<Text extends string> = string extends Text
  ? never
  : [ParseText<Text>] extends [never]
    ? NotAType<`"${Text}" is no type. Use string, number, integer, boolean, null, object, array, any or 'a literal', with [] | ? = and ": a description"`>
    : never;

interface NotAType<Problem> {
  problem: Problem;
}

interface WordTypes extends NamedTypes {
  object: Record<string, unknown>;
  array: unknown[];
  any: unknown;
}

/** `absent` says on which side the field may be absent: one with a default is so only for the caller. */
type Parsed<Type, Absent> = { type: Type; absent: Absent };

type Blank<Rest extends string> = ` ${Rest}` | `\n${Rest}` | `\t${Rest}`;

// Reads a text; `never` if it is no type. `Choices` has the types that were read before the last bar.
type ParseText<Text extends string, Choices = never> =
  Text extends Blank<infer Rest>
    ? ParseText<Rest, Choices>
    : Text extends `'${infer Literal}'${infer Rest}` | `"${infer Literal}"${infer Rest}`
      ? ParseRest<Rest, Choices, Literal>
      : Text extends `${FirstWord<Text>}${infer Rest}`
        ? ParseWord<FirstWord<Text>, Rest, Choices>
        : never;

type ParseWord<Word extends string, Rest extends string, Choices> = Word extends keyof WordTypes
  ? ParseRest<Rest, Choices, WordTypes[Word]>
  : Word extends `${infer Value extends number | boolean}`
    ? ParseRest<Rest, Choices, Value>
    : never;

type ParseRest<Text extends string, Choices, Type> =
  Text extends Blank<infer Rest>
    ? ParseRest<Rest, Choices, Type>
    : Text extends `[]${infer Rest}`
      ? ParseRest<Rest, Choices, Type[]>
      : Text extends `|${infer Rest}`
        ? ParseText<Rest, Choices | Type>
        : Text extends '' | `:${string}`
          ? Parsed<Choices | Type, 'neither'>
          : Text extends `?${infer Rest}`
            ? TrimStart<Rest> extends '' | `:${string}`
              ? Parsed<Choices | Type, 'both'>
              : never
            : Text extends `=${infer Rest}`
              ? ParseDefault<Rest, Choices | Type>
              : never;

// The value itself must be one that the type takes, as the text says it: `integer` takes any number here.
type ParseDefault<Text extends string, Type> =
  Text extends Blank<infer Rest>
    ? ParseDefault<Rest, Type>
    : Text extends `'${infer Literal}'${infer Rest}` | `"${infer Literal}"${infer Rest}`
      ? EndDefault<Rest, Type, Literal>
      : Text extends `${FirstWord<Text>}${infer Rest}`
        ? FirstWord<Text> extends `${infer Value extends number | boolean | null}`
          ? EndDefault<Rest, Type, Value>
          : never
        : never;

type EndDefault<Text extends string, Type, Value> =
  TrimStart<Text> extends '' | `:${string}` ? (Value extends Type ? Parsed<Type, 'input'> : never) : never;

type TrimStart<Text extends string> = Text extends Blank<infer Rest> ? TrimStart<Rest> : Text;

type FirstWord<Text extends string> = Until<
  Until<Until<Until<Until<Until<Until<Text, ':'>, '|'>, '?'>, '='>, '['>, ' '>,
  '\n'
>;

type Until<Text extends string, End extends string> = Text extends `${infer Head}${End}${string}`
  ? Head
  : Text;
