// How options, methods and functions compare with those of the official SDK, if there is more to say than that they are the
// same, or that the official SDK has none. Which names it has is in test/fixtures/official-surface.json.

const COMING = 'coming-from-the-official-sdk.md';
const BEHAVIOUR = 'coming-from-the-official-sdk/behaviour.md';

/** By option: in which way ours differs. The official value does here what it does there, except where the sentence says otherwise. */
export const OPTION_DIFFERENCES = {
  betas: `[one flag each](${COMING}#options-that-are-refused); joined by commas, as in the official SDK, the CLI drops all of them`,
  maxBudgetUsd: `[0 is refused](${COMING}#options-that-are-refused)`,
  allowedTools: `also takes tool and server objects; [an entry with a comma is refused](${COMING}#entries-with-commas)`,
  disallowedTools: `also takes tool and server objects; [an entry with a comma is refused](${COMING}#entries-with-commas)`,
  canUseTool: `also \`allow()\` and \`deny()\`; [one that fails denies](${BEHAVIOUR}#permissions)`,
  onUserDialog: 'also `null` to leave it open; one that fails cancels',
  mcpServers: `also servers from any MCP library, one for many queries; [secrets go into a private file](${BEHAVIOUR}#environment-and-secrets)`,
  onElicitation: 'also `null` to leave it open; one that fails cancels',
  hooks: `also \`allow()\`, \`deny()\` and \`failClosed\`: [differences](${BEHAVIOUR}#hooks)`,
  sessionId: `[anything but a UUID is refused](${COMING}#options-that-are-refused)`,
  resumeSessionAt: `[refused without \`resume\`](${COMING}#options-that-are-refused)`,
  pathToClaudeCodeExecutable: `[a relative path starts where the process was started](${COMING}#a-relative-path-to-the-cli)`,
  extraArgs: `[\`undefined\` leaves a flag out](${COMING}#options-that-are-refused)`,
  abortController: 'the `AbortError` has your reason as its `cause`',
  outputFormat:
    'a schema in a newer draft is [rewritten for the CLI](output-and-usage.md#an-answer-that-fits-a-schema)',
  settings: `[secrets go into a private file](${BEHAVIOUR}#environment-and-secrets)`,
  skills:
    '[a name that would become another rule is refused](permissions/command-line.md#what-an-entry-may-say)',
};

/** The same for methods of a query. */
export const METHOD_DIFFERENCES = {
  interrupt: 'returns the whole receipt; takes `cancelQueued`',
  mcpServerStatus: 'an empty list if there are no servers',
  close: `returns a promise: [closing waits](${COMING}#closing-waits)`,
  streamInput: `also takes texts and content blocks; [the input stays open](${BEHAVIOUR}#prompts-and-standard-input)`,
};

/** The same for functions. */
export const VALUE_DIFFERENCES = {
  query: `the prompt may also be [texts and content blocks](prompts.md); [wrong options throw](${COMING}#options-that-are-refused)`,
  tool: `also takes one object with \`run\`, [any schema library](${COMING}#tools-and-schemas), limits and retries`,
  createSdkMcpServer: `also prompts, resources and a context; [one server serves many queries](${COMING}#tools-and-schemas)`,
  AbortError: 'is an `InboardError`, with a code',
  renameSession: `[ends a line that was cut short](${BEHAVIOUR}#sessions) first`,
  tagSession: `[ends a line that was cut short](${BEHAVIOUR}#sessions) first`,
  resolveSettings: 'also reports problems in the files',
  startup: 'also has the process id',
  prewarm: 'also has the process id',
};

/** Guides that say more about a group of options, by its heading in options.ts. */
export const GUIDES = {
  'Prompt and model': 'See [prompts](prompts.md).',
  'Tools and permissions': 'See [permissions](permissions.md) and [approvals](approvals.md).',
  MCP: 'See [tools](tools.md) and [servers](servers.md).',
  Hooks: 'See [hooks](hooks.md).',
  Sessions: 'See [sessions](sessions.md).',
  'The process':
    'See [which CLI is started](runtimes.md#which-cli-is-started) and [how a query ends](endings.md).',
  Output: 'See [streamed text and checked answers](output-and-usage.md).',
  'Settings, plugins, skills':
    'See [accounts and networks](accounts.md) for what travels in the environment.',
  'Of this package only': 'The official SDK has none of these.',
};
