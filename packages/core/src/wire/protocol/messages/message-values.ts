// Types that several messages share, such as ids and senders. Why something failed is in `failure-reasons.ts`.

/** The known values, and any other string that a newer CLI may send. */
export type OpenString<Known extends string> = Known | (string & Record<never, never>);

/** An id in the usual 8-4-4-4-12 form; the same type as `UUID` of `node:crypto`. */
export type Uuid = `${string}-${string}-${string}-${string}-${string}`;

/** The fields that every message on the stream has. */
export type SDKMessageEnvelope = { uuid: Uuid; session_id: string };

/** The fields that every `system` message has. */
export type SDKSystemEnvelope<Subtype extends string> = SDKMessageEnvelope & {
  type: 'system';
  subtype: Subtype;
};

/** The sender of a user message; a host that relays what a person typed should set `human`. */
export type SDKMessageOrigin =
  | { kind: 'human' | 'coordinator' | 'unclassified' | 'auto-continuation' | 'observer-activity' }
  | { kind: 'channel'; server: string }
  | { kind: 'observer'; from: string; senderTaskId: string }
  | {
      kind: 'peer';
      from: string;
      fromMode?: 'bypass' | 'prompting';
      name?: string;
      fromSession?: string;
      senderTaskId?: string;
      body?: string;
      verifiedPeerPid?: number;
    }
  | {
      kind: 'task-notification';
      subkind?: 'peer-send-message' | 'projects-relay' | 'scheduled-trigger' | 'session-inbox';
      fireReason?: string;
      runId?: string;
    };

/** A tool call that was not permitted during the turn. */
export type SDKPermissionDenial = {
  tool_name: string;
  tool_use_id: string;
  tool_input: Record<string, unknown>;
};

/** Whether faster output is on, off, or paused after a limit. */
export type FastModeState = 'off' | 'cooldown' | 'on';

/** Where the credentials of a session come from. */
export type ApiKeySource =
  | 'user'
  | 'project'
  | 'org'
  | 'temporary'
  | 'oauth'
  | 'none'
  | 'apiKeyHelper'
  | 'ANTHROPIC_API_KEY'
  | '/login managed key';

/** Says where an MCP server comes from. Trust `source`, which the CLI sets, and not `name`. */
export type McpServerProvenance = {
  name: string;
  source: OpenString<
    | 'sdk'
    | 'plugin'
    | 'user'
    | 'project'
    | 'local'
    | 'dynamic'
    | 'managed'
    | 'enterprise'
    | 'claudeai'
    | 'agent'
  >;
};

/** A command or skill the user can call by name. */
export type SlashCommand = {
  name: string;
  description: string;
  argumentHint: string;
  aliases?: string[];
  builtin?: boolean;
};
