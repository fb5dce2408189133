import { defineConfig } from 'rolldown';

// One file per door and a shared chunk: loading 170 small modules costs three times what loading the bundle
// does (docs/decisions/2026-11-15-bundle.md). Types are emitted per file by tsc.
export default defineConfig({
  input: {
    index: 'src/index.ts',
    'core/index': 'src/core/index.ts',
    'testing/index': 'src/testing/index.ts',
    'trace/index': 'src/trace/index.ts',
    'otel/index': 'src/otel/index.ts',
    'sdk-tools/index': 'src/sdk-tools/index.ts',
    'cli/main': 'src/cli/main.ts',
  },
  platform: 'node',
  external: [/^node:/, '@cfworker/json-schema', '@opentelemetry/api', /^@modelcontextprotocol\//, 'jiti'],
  output: {
    dir: process.env.INBOARD_BUILD_DIR ?? 'dist',
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name]-[hash].js',
    comments: false,
  },
});
