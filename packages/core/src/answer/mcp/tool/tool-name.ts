// Makes the names that the model sees, `mcp__<server>__<tool>`. The CLI replaces some characters in them, and so does this
// file. It also finds names that become equal by this replacement.

type NameCharacter =
  | ('a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm')
  | ('n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z')
  | ('A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'H' | 'I' | 'J' | 'K' | 'L' | 'M')
  | ('N' | 'O' | 'P' | 'Q' | 'R' | 'S' | 'T' | 'U' | 'V' | 'W' | 'X' | 'Y' | 'Z')
  | ('0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '_' | '-');

/** A name after the CLI's rewriting, as a type. */
export type RewrittenName<Name extends string, Done extends string = ''> = string extends Name
  ? string
  : Name extends `${infer First}${infer Rest}`
    ? RewrittenName<Rest, `${Done}${First extends NameCharacter ? First : '_'}`>
    : Done;

/** The full name of a tool, as it appears in `allowedTools`, hooks and messages. */
export type ToolName<
  Server extends string,
  Tool extends string,
> = `mcp__${RewrittenName<Server>}__${RewrittenName<Tool>}`;

/** Something that has a name: a tool definition, a server, or the name itself. */
export type Named<Name extends string> = Name | { readonly name: Name };

declare const TOOL_NAMES: unique symbol;

/** A server whose type knows the names of its tools. No object has this key; it only carries the type. */
export interface HasTools<Name extends string> {
  readonly [TOOL_NAMES]?: Name | undefined;
}

/** The tool names that a server's type knows; `string` where it knows none. */
export type ToolNamesOf<Server> = Server extends HasTools<infer Name> ? Name : string;

/** An object type that no string fits, if `Tool` is a literal that is not among `Known`. Otherwise `unknown`. */
export type ToolProblem<Tool extends string, Known extends string> = string extends Known | Tool
  ? unknown
  : [Tool] extends [Known]
    ? unknown
    : NoSuchTool<Known>;

interface NoSuchTool<Known extends string> {
  knownTools: Known;
}

/**
 * The name by which the model and the permission rules know a tool of an in-process server. `server` is the key in
 * `mcpServers`, or a server object, whose `name` is then used. For a server object, the compiler checks the tool's name.
 */
export function toolName<const Server extends Named<string>, const Tool extends string>(
  server: Server,
  tool: Named<Tool> & ToolProblem<Tool, ToolNamesOf<Server>>,
): ToolName<NameOf<Server>, Tool> {
  return `mcp__${rewriteName(nameOf(server))}__${rewriteName(nameOf(tool))}` as ToolName<
    NameOf<Server>,
    Tool
  >;
}

type NameOf<Thing extends Named<string>> = Thing extends { readonly name: infer Name extends string }
  ? Name
  : Extract<Thing, string>;

function nameOf(thing: Named<string>): string {
  return typeof thing === 'string' ? thing : thing.name;
}

/** Rewrites the name of a server or tool as the CLI does before the model sees it. */
export function rewriteName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_');
}

/** The names that become equal once rewritten, in groups of two and more. */
export function findNameCollisions(names: Iterable<string>): string[][] {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const rewritten = rewriteName(name);
    const group = groups.get(rewritten);
    if (group) group.push(name);
    else groups.set(rewritten, [name]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}
