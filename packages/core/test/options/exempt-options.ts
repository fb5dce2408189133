// The options without a variant in test/fixtures/option-variants.json, and those outside of the full set of full-options.ts, each
// with its reason. option-coverage.test.ts demands that every other option has both.

/** Options of this process that change nothing the CLI is told. Where each has its effect, it has its tests. */
export const WITHOUT_VARIANT: Readonly<Record<string, string>> = {
  projectKey: 'names a place in a session store',
  pathToClaudeCodeExecutable: 'chooses the program that is started',
  spawnClaudeCodeProcess: 'starts the program',
  output: 'becomes an outputFormat, which has variants, before a launch is planned',
  extendEnv: 'chooses what `env`, which has variants, begins with',
  transport: 'replaces the program',
  claudeCodeVersion: 'is the version that every variant is tried with',
  handshakeTimeoutMs: 'limits a wait',
  idleTimeoutMs: 'limits a wait',
  maxLineBytes: 'limits what is read',
  maxBufferedBytes: 'limits what is kept',
  closeGraceMs: 'limits a wait',
  killGraceMs: 'limits a wait',
  whenHostDies: 'decides what happens to the program after this process',
  toolContext: 'is handed to tools',
  onWireLine: 'is told of lines',
  trace: 'records the session',
  onToolEvent: 'is told of calls',
  aroundTool: 'wraps calls',
  onEnd: 'is told of the end',
  streamText: 'changes what the query yields',
  usage: 'counts what was used',
  missingTools: 'decides what happens after the handshake',
  sdkServerRegistration: 'needs in-process servers, which the cases of launch/cli-arguments.test.ts have',
  onWarning: 'is told of warnings',
};

const STAYS_HERE = 'changes nothing that the CLI is told';

/** Options that the full set cannot have, or has no use for. */
export const OUTSIDE_FULL_SET: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(WITHOUT_VARIANT).map((name) => [name, STAYS_HERE])),
  maxThinkingTokens: 'is overruled by `thinking`',
  permissionPromptToolName: 'excludes `canUseTool`',
  continue: 'excludes `sessionId`, and is overruled by `resume`',
  persistSession: 'would leave nothing to resume',
  sessionStore: 'would restore what `resume` names',
  sessionStoreFlush: 'needs `sessionStore`',
  loadTimeoutMs: 'needs `sessionStore`',
  enableFileCheckpointing: 'becomes a variable, and the full set is about flags and fields',
  cwd: STAYS_HERE,
  env: 'would replace the environment that the cases compare',
  executable: 'chooses the program that is started',
  executableArgs: 'chooses the program that is started',
  abortController: STAYS_HERE,
  stderr: STAYS_HERE,
  debugFile: 'is overruled by `debug`',
  pluginDelivery: 'moves `plugins` from the flags to the fields, so each order list chooses for itself',
};
