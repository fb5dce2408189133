// The client that calls the tools of a tools file outside a query, for the file's export `toolContext`. Types only.

/**
 * Who calls the tools of a tools file. Its export `toolContext` is given this and returns what handlers get as
 * `extra.context`; undefined turns the client away.
 */
export type ToolClient =
  /** The user who started `inboard run`, `acp`, `call`, `inspect --tools` or `trace replay --tools`. */
  | { readonly via: 'command' }
  /** The one client of `inboard serve --stdio`. Its environment tells it apart from others. */
  | { readonly via: 'stdio' }
  /** A client of `inboard serve --http`. The function is called for each request, with the bearer token of that request. */
  | { readonly via: 'http'; readonly token: string };
