import { defineConfig } from 'rolldown';

// One file per door and a shared chunk: loading 170 small modules costs three times what loading the bundle
// does (docs/decisions/2026-11-15-bundle.md). Types are emitted per file by tsc.
export default defineConfig({
  input: {
    'doors/index': 'src/doors/index.ts',
    'doors/core': 'src/doors/core.ts',
    'doors/testing': 'src/doors/testing.ts',
    'doors/trace': 'src/doors/trace.ts',
    'doors/otel': 'src/doors/otel.ts',
    'doors/sdk-tools': 'src/doors/sdk-tools.ts',
    'cli/main': 'src/cli/main.ts',
  },
  platform: 'node',
  external: [/^node:/, '@cfworker/json-schema', '@opentelemetry/api', /^@modelcontextprotocol\//, 'jiti'],
  output: {
    dir: process.env.INBOARD_BUILD_DIR ?? 'dist',
    format: 'esm',
    // Beside the files and not named in them: they are for reading a user's stack trace, and are not published
    // (docs/decisions/2026-11-16-package.md).
    sourcemap: 'hidden',
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name]-[hash].js',
    comments: false,
  },
});
