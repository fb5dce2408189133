// Real programs from the registry that depend on the official SDK, each in the version it was tried in. `plays/<name>.mjs`
// says what is done with a program; `compile` names sources or declarations that must compile against our types; `moves` is the
// folder of a program that is also moved by `inboard migrate`, and run where the official package is not there at all.

/** The programs, in the order they are run. */
export const PROGRAMS = [
  {
    name: 'claude-agent-acp',
    kind: 'ESM program, a process of its own',
    packages: { '@agentclientprotocol/claude-agent-acp': '0.99.0' },
    moves: '@agentclientprotocol/claude-agent-acp/dist',
  },
  {
    name: 'claude-code-acp',
    kind: 'ESM program, written for an SDK of 0.2',
    packages: { '@zed-industries/claude-code-acp': '0.16.2' },
  },
  {
    name: 'claude-max-proxy',
    kind: 'ESM program, lets the SDK find the CLI',
    packages: { 'claude-max-proxy': '1.0.0' },
    moves: 'claude-max-proxy/dist',
  },
  {
    name: 'ai-sdk-provider',
    kind: 'ESM library; its declarations compiled without skipLibCheck',
    packages: {
      'ai-sdk-provider-claude-code': '4.1.0',
      ai: '7.0.169',
      zod: '4.6.7',
      '@types/json-schema': '7.0.15',
    },
    compile: { source: "export * from 'ai-sdk-provider-claude-code';\n" },
    // Our abort error says so by its name too, so the provider knows it and throws the caller's own reason.
    differs: ['aborted'],
  },
  {
    name: 'gsd-sdk',
    kind: 'TypeScript sources compiled, and run',
    packages: { 'get-shit-done-cc': '1.42.3' },
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
    packages: { '@mastra/claude': '0.3.0', '@mastra/core': '1.71.0', zod: '4.6.7' },
  },
];
