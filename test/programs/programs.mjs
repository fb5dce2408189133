// Real programs from the registry that depend on the official SDK. `packages/<name>` has the versions it was tried in, with a
// lockfile; `plays/<name>.mjs` says what is done with a program; `compile` names sources or declarations that must compile
// against our types; `moves` is the folder of a program that is also moved by `inboard migrate`, and run where the official
// package is not there at all.

/** The programs, in the order they are run. */
export const PROGRAMS = [
  {
    name: 'claude-agent-acp',
    kind: 'ESM program, a process of its own',
    moves: '@agentclientprotocol/claude-agent-acp/dist',
  },
  {
    name: 'claude-code-acp',
    kind: 'ESM program, written for an SDK of 0.2',
  },
  {
    name: 'claude-max-proxy',
    kind: 'ESM program, lets the SDK find the CLI',
    moves: 'claude-max-proxy/dist',
  },
  {
    name: 'ai-sdk-provider',
    kind: 'ESM library; its declarations compiled without skipLibCheck',
    compile: { source: "export * from 'ai-sdk-provider-claude-code';\n" },
    // Our abort error says so by its name too, so the provider knows it and throws the caller's own reason.
    differs: ['aborted'],
  },
  {
    name: 'gsd-sdk',
    kind: 'TypeScript sources compiled, and run',
    compile: {
      files: [
        'node_modules/get-shit-done-cc/sdk/src/session-runner.ts',
        'node_modules/get-shit-done-cc/sdk/src/event-stream.ts',
      ],
      skipLibCheck: true,
    },
  },
  {
    name: 'mastra-cjs',
    kind: 'CommonJS library, by require()',
  },
];
