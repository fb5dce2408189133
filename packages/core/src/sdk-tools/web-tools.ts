// Inputs and outputs of the tools that fetch pages and search the web.

/** `WebFetch`: fetches a page and lets a model answer a question about it. */
export interface WebFetchInput {
  /** The address of the page. `http` becomes `https`. */
  url: string;
  prompt: string;
  /** The character at which to continue in a long page. */
  offset?: number;
}

/** The result of fetching the page. Redirects to other hosts and HTTP errors are results too: see `code`. */
export interface WebFetchOutput {
  bytes: number;
  code: number;
  codeText: string;
  /** The answer to the prompt, or what went wrong. */
  result: string;
  durationMs: number;
  url: string;
}

/** `WebSearch`: searches the web. Set allowed or blocked domains, not both. */
export interface WebSearchInput {
  query: string;
  allowed_domains?: string[];
  blocked_domains?: string[];
}

/** The pages found, and what the searching model wrote about them. */
export interface WebSearchOutput {
  query: string;
  results: Array<{ tool_use_id: string; content: Array<{ title: string; url: string }> } | string>;
  durationSeconds: number;
  searchCount?: number;
}
