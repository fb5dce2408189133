// The doors of the package and the names behind them, on the built files. A name added or removed here
// is a decision about what users can rely on.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { buildPackage, type BuiltPackage } from './built-package.js';
import { MANIFEST, PROJECT_NAME, readSourceFiles } from './project.js';

const BUILD_TIMEOUT_MS = 120_000;
const run = promisify(execFile);

/** Every name that exists at run time, by door, sorted. */
const PUBLIC_NAMES: Readonly<Record<string, readonly string[]>> = {
  '.': [
    'AbortError',
    'BUILTIN_TOOL_NAMES',
    'ControlRequestError',
    'EXIT_REASONS',
    'ExecutableNotFoundError',
    'HOOK_EVENTS',
    'HandshakeError',
    'InMemorySessionStore',
    'InboardError',
    'IncompleteRunError',
    'InvalidOptionsError',
    'LEGACY_TOOL_NAME_ALIASES',
    'LaunchError',
    'OutputValidationError',
    'ProcessExitError',
    'ResultError',
    'RunError',
    'SYSTEM_PROMPT_DYNAMIC_BOUNDARY',
    'SchemaError',
    'SessionClosedError',
    'SessionNotFoundError',
    'SessionStoreError',
    'StalledError',
    'ToolResultError',
    'ToolServerNotFoundError',
    'ToolTimeoutError',
    'ToolsNotReadyError',
    'USAGE_LIMIT_ERROR_PREFIXES',
    'UnsupportedOptionError',
    'UsageLedger',
    'WireError',
    'allow',
    'answerPermission',
    'answerQuestions',
    'archiveSession',
    'audio',
    'createOutputReader',
    'createSdkMcpServer',
    'deleteSession',
    'deny',
    'errorResult',
    'filterEscalatingDefaultMode',
    'foldSessionSummary',
    'forkSession',
    'getSessionInfo',
    'getSessionMessages',
    'getSubagentMessages',
    'image',
    'importSessionToStore',
    'isAssistantMessage',
    'isResultMessage',
    'isSystemInit',
    'isUserMessage',
    'listSessions',
    'listSubagents',
    'matchDeniedModels',
    'outcomeOf',
    'outputFormatOf',
    'query',
    'readStructuredOutput',
    'renameSession',
    'resolveSettings',
    'resource',
    'run',
    'startup',
    'tagSession',
    'tool',
    'toolName',
    'unarchiveSession',
  ],
  './sdk-tools': [],
  './testing': [
    'apiError',
    'block',
    'createIsolatedEnvironment',
    'cut',
    'delayed',
    'describeSessionStore',
    'gate',
    'held',
    'reply',
    'sessionStoreCases',
    'startScriptedModel',
    'text',
    'thinking',
    'toolUse',
  ],
};

let building: Promise<BuiltPackage> | undefined;

afterAll(async () => {
  // A failed build has failed the tests that needed it, and left nothing to remove.
  const built = await building?.catch(() => undefined);
  built?.remove();
});

async function readNames(door: string): Promise<string[]> {
  building ??= buildPackage();
  const { folder } = await building;
  const specifier = door.replace(/^\./, PROJECT_NAME);
  const script = `console.log(JSON.stringify(Object.keys(await import(${JSON.stringify(specifier)}))))`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
  });
  return (JSON.parse(stdout) as string[]).toSorted();
}

describe('the doors of the package', () => {
  it('are those of the list', () => {
    const doors = Object.keys(MANIFEST.exports).filter((door) => door !== './package.json');
    expect(doors.toSorted()).toEqual(Object.keys(PUBLIC_NAMES).toSorted());
  });

  it.each(Object.entries(PUBLIC_NAMES))(
    '%s gives exactly the names of the list',
    async (door, names) => {
      expect(await readNames(door), `the names of "${door}" differ from the list in this test`).toEqual(
        names,
      );
    },
    BUILD_TIMEOUT_MS,
  );

  it.each(Object.entries(PUBLIC_NAMES))('the list of %s is sorted, without doubles', (_, names) => {
    expect([...new Set(names)].toSorted()).toEqual(names);
  });

  it('name each thing they let through', () => {
    const files = readSourceFiles();
    for (const [path, text] of files) {
      if (path.endsWith('/index.ts')) {
        // The small door has the types of the large one; there is nothing to list twice.
        const allowed = path === 'src/core/index.ts' ? [`export type * from '../index.js';`] : [];
        expect(text.match(/^export (?:type )?\*.*|^export default.*/gm) ?? [], path).toEqual(allowed);
      }
    }
  });
});
