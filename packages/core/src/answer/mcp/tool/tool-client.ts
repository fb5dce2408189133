// The type of a client that calls the tools of a tools file outside a query. The file's export `toolContext` gets it.

/**
 * Who calls the tools of a tools file. The file's export `toolContext` gets this, and returns what handlers get as
 * `extra.context`. If it returns undefined, the client is turned away.
 */
export type ToolClient =
  /** The user who started `inboard run`, `acp`, `call`, `inspect --tools` or `trace replay --tools`. */
  | { readonly via: 'command' }
  /** The only client of `inboard serve --stdio`. The environment of the process can say who it is. */
  | { readonly via: 'stdio' }
  /** A client of `inboard serve --http`. The function is called for each request, with the bearer token of that request. */
  | { readonly via: 'http'; readonly token: string };
