// Completers suggest values for the arguments of prompts and the variables of uri templates. Types only.
import type { McpRequestContext } from '../server/request-context.js';

/** What a completer gets besides the text so far. */
export interface CompletionContext extends McpRequestContext {
  /** The arguments that already have a value. */
  readonly arguments: Readonly<Record<string, string>>;
}

/**
 * The possible values, or a function that finds them. From a list, the values that begin with the text so far are
 * suggested, whether in upper or lower case. From a function, all values that it returns are suggested.
 */
export type Completer =
  | readonly string[]
  | ((value: string, context: CompletionContext) => readonly string[] | Promise<readonly string[]>);

/** Completers by the name of the argument or variable. */
export type Completers<Name extends string = string> = { readonly [Key in Name]?: Completer };
