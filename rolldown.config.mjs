import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';

// Each file costs Node about as much as 10 kB of code in it, so what `import 'inboard'` loads is put into two files,
// and not into the thirty that sharing alone would make of it (docs/decisions/2026-11-15-bundle.md):
// what doors share that are used without the main one, and the rest. What is imported by `import()` stays apart.
const MAIN_DOORS = ['src/doors/index.ts', 'src/doors/core.ts'];
const OTHER_DOORS = ['src/doors/trace.ts', 'src/cli/main.ts'];

let groups;
function chooseChunk(id, graph) {
  groups ??= {
    main: findLoaded(MAIN_DOORS, graph),
    shared: findLoaded(OTHER_DOORS, graph),
  };
  if (!groups.main.has(id)) return null;
  return groups.shared.has(id) ? 'ground' : 'inboard';
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

// A single character beyond ASCII makes Node decode the whole file slowly, and V8 keep and parse it as two bytes for each
// character: 7 % of an import.
const escapeToAscii = {
  name: 'escape-to-ascii',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      // In a raw template an escape would be what it says. Only the pages of traces have them.
      if (chunk.type !== 'chunk' || chunk.code.includes('String.raw')) continue;
      if (/\\[^\0-\x7f]/.test(chunk.code))
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
  preserveEntrySignatures: 'allow-extension',
  plugins: [escapeToAscii],
  output: {
    dir: process.env.INBOARD_BUILD_DIR ?? 'dist',
    format: 'esm',
    // Beside the files and not named in them: they are for reading a user's stack trace, and are not published
    // (docs/decisions/2026-11-16-package.md).
    sourcemap: 'hidden',
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name]-[hash].js',
    comments: false,
    codeSplitting: {
      groups: [
        {
          name: chooseChunk,
          debugName: 'what the main door loads',
          // A module that several groups want goes where `chooseChunk` says.
          includeDependenciesRecursively: false,
        },
      ],
    },
  },
});
