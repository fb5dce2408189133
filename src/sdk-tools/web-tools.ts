// Inputs and outputs of the tools that go to the web.

/** `WebFetch`: reads a page and puts a question to it. */
export interface WebFetchInput {
  /** `http` becomes `https`. */
  url: string;
  prompt: string;
  /** The character at which to go on in a long page. */
  offset?: number;
}

/** What came of it. Redirects to other hosts and HTTP errors come as a result too: see `code`. */
export interface WebFetchOutput {
  bytes: number;
  code: number;
  codeText: string;
  /** The answer to the prompt, or what went wrong. */
  result: string;
  durationMs: number;
  url: string;
}

/** `WebSearch`: give allowed or blocked domains, not both. */
export interface WebSearchInput {
  query: string;
  allowed_domains?: string[];
  blocked_domains?: string[];
}

/** Pages found, and what the searching model said about them. */
export interface WebSearchOutput {
  query: string;
  results: Array<{ tool_use_id: string; content: Array<{ title: string; url: string }> } | string>;
  durationSeconds: number;
  searchCount?: number;
}
