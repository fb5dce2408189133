// What suggests values for the arguments of prompts and the variables of uri templates. Types only.
import type { RequestContext } from '../server/request-context.js';

/** What a completer gets besides the text so far. */
export interface CompletionContext extends RequestContext {
  /** The arguments that already have a value. */
  readonly arguments: Readonly<Record<string, string>>;
}

/** The possible values, of which those that begin with the text so far are suggested; or a function that finds them. */
export type Completer =
  | readonly string[]
  | ((value: string, context: CompletionContext) => readonly string[] | Promise<readonly string[]>);

/** Completers by the name of the argument. */
export type Completers<Name extends string = string> = { readonly [Key in Name]?: Completer };
