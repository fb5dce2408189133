import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';
import { nameFilesOfParts } from './scripts/support/part-files.mjs';

// Each file costs Node about as much as 10 kB of code in it, so what `import 'inboard'` loads is put into two files,
// and not into the thirty that sharing alone would make of it (docs/decisions/2026-11-15-bundle.md):
// what entry points share that are used without the main one, and the rest. What the first query imports besides is a third.
// Other imports by `import()` stay apart.
const MAIN_ENTRY_POINTS = ['packages/inboard/src/index.ts', 'packages/inboard/src/core.ts'];
const OTHER_ENTRY_POINTS = ['packages/inboard/src/trace.ts', 'packages/cli/src/main.ts'];
const LAUNCHER = ['packages/core/src/live/launch.ts'];

let groups;
function chooseChunk(id, graph) {
  groups ??= {
    main: findLoaded(MAIN_ENTRY_POINTS, graph),
    shared: findLoaded(OTHER_ENTRY_POINTS, graph),
    launch: findLoaded(LAUNCHER, graph),
  };
  const isMain = groups.main.has(id);
  if (!isMain && !groups.launch.has(id)) return null;
  if (groups.shared.has(id)) return 'ground';
  return isMain ? 'inboard' : 'launch';
}

/** The modules that are loaded with these. */
function findLoaded(paths, graph, found = new Set()) {
  const visit = (id) => {
    const module = found.has(id) ? undefined : graph.getModuleInfo(id);
    if (!module) return;
    found.add(id);
    module.importedIds.forEach(visit);
  };
  paths.forEach((path) => visit(fileURLToPath(new URL(path, import.meta.url))));
  return found;
}

// Names of functions and classes stay, for stack traces, and so do lines: Node prints the line of an uncaught error, and of
// a file in one line that is 60 kB. What is left to shorten is 8 % of an import and 280 kB
// (docs/decisions/2026-11-16-package.md).
const minify = {
  compress: { keepNames: { function: true, class: true } },
  mangle: { keepNames: true },
  codegen: { removeWhitespace: false },
};

// The minifier would shorten the names of private methods, which are in stack traces as well. It leaves the names of
// properties alone, and as that it sees them: with another first letter, of the same length, that nothing else begins with.
const STAND_IN = '\u01c2';
const keepPrivateNames = {
  name: 'keep-private-names',
  renderChunk(code) {
    if (code.includes(STAND_IN)) throw new Error(`The sources have the character ${STAND_IN} themselves`);
    // Without a map of its own: nothing moves.
    return { code: code.replaceAll(/#(?=[a-z])/gi, STAND_IN), map: null };
  },
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk') chunk.code = chunk.code.replaceAll(STAND_IN, '#');
  },
};

// A single character beyond ASCII makes Node decode the whole file slowly, and V8 keep and parse it as two bytes for each
// character: 7 % of an import.
const escapeToAscii = {
  name: 'escape-to-ascii',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      // In a raw template an escape would be what it says.
      if (/\\[^\0-\x7f]|String\.raw`[^`]*[^\0-\x7f`]/.test(chunk.code))
        throw new Error(`${chunk.fileName} escapes a character beyond ASCII`);
      chunk.code = chunk.code.replaceAll(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};

export default defineConfig({
  input: {
    'entry/index': 'packages/inboard/src/index.ts',
    'entry/core': 'packages/inboard/src/core.ts',
    'entry/testing': 'packages/inboard/src/testing.ts',
    'entry/trace': 'packages/inboard/src/trace.ts',
    'entry/otel': 'packages/inboard/src/otel.ts',
    'entry/acp': 'packages/inboard/src/acp.ts',
    'entry/inspector': 'packages/inboard/src/inspector.ts',
    'entry/ui': 'packages/inboard/src/ui.ts',
    'entry/cluster': 'packages/inboard/src/cluster.ts',
    'entry/cluster-postgres': 'packages/inboard/src/cluster-postgres.ts',
    'entry/cluster-bullmq': 'packages/inboard/src/cluster-bullmq.ts',
    'entry/durable': 'packages/inboard/src/durable.ts',
    'entry/durable-postgres': 'packages/inboard/src/durable-postgres.ts',
    'entry/dbos': 'packages/inboard/src/dbos.ts',
    'entry/restate': 'packages/inboard/src/restate.ts',
    'entry/temporal': 'packages/inboard/src/temporal.ts',
    'entry/temporal-workflow': 'packages/inboard/src/temporal-workflow.ts',
    'entry/remote': 'packages/inboard/src/remote.ts',
    'entry/types': 'packages/inboard/src/types.ts',
    'entry/sdk-tools': 'packages/inboard/src/sdk-tools.ts',
    'cli/main': 'packages/cli/src/main.ts',
  },
  platform: 'node',
  external: [
    /^node:/,
    '@agentclientprotocol/sdk',
    '@cfworker/json-schema',
    /^@dbos-inc\//,
    '@opentelemetry/api',
    /^@modelcontextprotocol\//,
    '@restatedev/restate-sdk',
    /^@temporalio\//,
    'bullmq',
    'jiti',
    'pg',
  ],
  preserveEntrySignatures: 'allow-extension',
  // Entry points say how the inspector is opened when they are loaded; package.json tells other bundlers the same of the built files.
  treeshake: { moduleSideEffects: [{ test: /[\\/]packages[\\/]inboard[\\/]src[\\/]/, sideEffects: true }] },
  plugins: [keepPrivateNames, escapeToAscii, nameFilesOfParts],
  output: {
    dir: process.env.INBOARD_BUILD_DIR ?? 'dist',
    format: 'esm',
    // Beside the files and not named in them: they are for reading a user's stack trace, and are not published
    // (docs/decisions/2026-11-16-package.md).
    sourcemap: 'hidden',
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name]-[hash].js',
    comments: false,
    minify,
    codeSplitting: {
      groups: [
        {
          name: chooseChunk,
          debugName: 'what the main entry point loads',
          // A module that several groups want goes where `chooseChunk` says.
          includeDependenciesRecursively: false,
        },
      ],
    },
  },
});
