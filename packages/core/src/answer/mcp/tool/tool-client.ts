// Who calls the tools of a tools file when no query does: what its export `toolContext` decides by. Types only.

/**
 * Who calls the tools of a tools file. Its export `toolContext` is given this and returns what handlers get as
 * `extra.context`; undefined turns the client away.
 */
export type ToolClient =
  /** Whoever started `inboard run`, `acp`, `call`, `inspect --tools` or `trace replay --tools`. */
  | { readonly via: 'command' }
  /** The one client of `inboard serve --stdio`; what sets it apart is in the environment. */
  | { readonly via: 'stdio' }
  /** A client of `inboard serve --http`, asked about with each request, by the bearer token that it sends. */
  | { readonly via: 'http'; readonly token: string };
