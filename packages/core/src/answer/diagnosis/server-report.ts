// The status of an MCP server, as a CLI reports it. Types only.

/** A server as the CLI sees it. */
export interface ServerReport {
  name: string;
  /** `connected`, `pending`, `failed`, `needs-auth`, `disabled`, or `absent` when the CLI does not list it. */
  status: string;
  error?: string;
}
