// The entry points of the package and the names behind them, on the built files. A name added or removed here
// is a decision about what users can rely on.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import * as errors from '../../core/src/errors.js';
import { buildPackage, type BuiltPackage } from '../../../test/package/built-package.js';
import { MANIFEST, PROJECT_NAME, readSourceFiles } from '../../../test/package/project.js';
import { WORKFLOW_LIBRARY } from './workflow-library-names.js';

const BUILD_TIMEOUT_MS = 120_000;
const run = promisify(execFile);

/** Every name that exists at run time, by entry point, sorted. */
const PUBLIC_NAMES: Readonly<Record<string, readonly string[]>> = {
  '.': [
    'AbortError',
    'BUILTIN_TOOL_NAMES',
    'CallError',
    'ClaimError',
    'ControlRequestError',
    'ControlTimeoutError',
    'EXIT_REASONS',
    'ExecutableNotFoundError',
    'HOOK_EVENTS',
    'HandshakeError',
    'HookError',
    'InMemorySessionStore',
    'InboardError',
    'IncompleteRunError',
    'InvalidOptionsError',
    'LEGACY_TOOL_NAME_ALIASES',
    'LaunchError',
    'MessageIgnoredError',
    'ORG_POLICY_LIMIT_PREFIXES',
    'OutputValidationError',
    'PartLoadError',
    'PermissionUnavailableError',
    'ProcessExitError',
    'ReplayError',
    'ResultError',
    'RunError',
    'SYSTEM_PROMPT_DYNAMIC_BOUNDARY',
    'SchemaError',
    'SessionClosedError',
    'SessionNotFoundError',
    'SessionStoreError',
    'StalledError',
    'StoredFormatError',
    'ToolResultError',
    'ToolServerNotFoundError',
    'ToolTimeoutError',
    'ToolsNotReadyError',
    'TraceError',
    'TurnLostError',
    'USAGE_LIMIT_ERROR_PREFIXES',
    'USAGE_TRANSITION_PREFIXES',
    'USAGE_WARNING_PREFIXES',
    'UnsupportedOptionError',
    'UsageLedger',
    'WireError',
    'allow',
    'answerPermission',
    'answerQuestions',
    'archiveSession',
    'audio',
    'createApprovals',
    'createCalls',
    'createFileApprovalStore',
    'createFileCallRecords',
    'createMemoryApprovalStore',
    'createMemoryCallRecords',
    'createOutputReader',
    'createSdkMcpServer',
    'createSessionGroup',
    'createWarmPool',
    'deleteSession',
    'deleteSessionData',
    'deny',
    'diagnoseTool',
    'errorResult',
    'filterEscalatingDefaultMode',
    'findSessionData',
    'foldSessionSummary',
    'forkSession',
    'getSessionInfo',
    'getSessionMessages',
    'getSubagentMessages',
    'getTranscriptState',
    'image',
    'importSessionToStore',
    'isAssistantMessage',
    'isResultMessage',
    'isSystemInit',
    'isUserMessage',
    'listSessions',
    'listSubagents',
    'matchDeniedModels',
    'mcpPrompt',
    'mcpResource',
    'openSession',
    'outcomeOf',
    'pending',
    'prewarm',
    'query',
    'renameSession',
    'replayPermissions',
    'resolveSettings',
    'resource',
    'run',
    'startup',
    'tagSession',
    'tool',
    'toolHook',
    'toolName',
    'unarchiveSession',
  ],
  './core': [
    'AbortError',
    'BUILTIN_TOOL_NAMES',
    'EXIT_REASONS',
    'HOOK_EVENTS',
    'LEGACY_TOOL_NAME_ALIASES',
    'ORG_POLICY_LIMIT_PREFIXES',
    'SYSTEM_PROMPT_DYNAMIC_BOUNDARY',
    'USAGE_LIMIT_ERROR_PREFIXES',
    'USAGE_TRANSITION_PREFIXES',
    'USAGE_WARNING_PREFIXES',
    'archiveSession',
    'createSdkMcpServer',
    'deleteSession',
    'filterEscalatingDefaultMode',
    'matchDeniedModels',
    'prewarm',
    'query',
    'renameSession',
    'resolveSettings',
    'startup',
    'tagSession',
    'tool',
    'unarchiveSession',
  ],
  './testing': [
    'ScriptMismatchError',
    'TrajectoryRecorder',
    'apiError',
    'ask',
    'askPermission',
    'assertTrajectory',
    'block',
    'callRecordsCases',
    'callTool',
    'chaosTransport',
    'checkHistory',
    'closeInput',
    'closeOutput',
    'compact',
    'crash',
    'createFakeCli',
    'createIsolatedEnvironment',
    'createMemoryTransport',
    'createToolHarness',
    'cut',
    'delayed',
    'describeCallRecords',
    'describeDispatcher',
    'describeJournal',
    'describeLedger',
    'describeSessionStore',
    'describeTransport',
    'dispatcherCases',
    'elicit',
    'endTurn',
    'expectControl',
    'expectEnd',
    'expectLine',
    'expectPrompt',
    'finishTask',
    'fireHook',
    'garbage',
    'gate',
    'held',
    'holdAnswers',
    'hugeLine',
    'ignore',
    'inChunks',
    'journalCases',
    'ledgerCases',
    'raw',
    'readOn',
    'refuse',
    'releaseAnswers',
    'repeat',
    'reply',
    'respond',
    'send',
    'sessionStoreCases',
    'stall',
    'startOffline',
    'startScriptedModel',
    'startTask',
    'stderr',
    'stopReading',
    'structuredOutput',
    'text',
    'thinking',
    'toolUse',
    'trajectoryMatchers',
    'trajectoryOf',
    'transportCases',
  ],
  './trace': [
    'TRACE_FORMAT',
    'TRACE_VERSION',
    'buildTimeline',
    'createRedactor',
    'diffJson',
    'formatReport',
    'openTape',
    'readTrace',
    'renderTimelineHtml',
    'renderTimelineMermaid',
    'renderTimelineText',
    'streamTrace',
    'tapTransport',
    'traceOf',
    'traceTransport',
  ],
  './inspector': ['InspectorError', 'inspect'],
  './acp': ['AcpError', 'serveAcp'],
  './cluster': [
    'ClusterError',
    'HealthError',
    'LeaseLostError',
    'createCluster',
    'createHealthHandler',
    'formatWorkerEvent',
    'getClusterCall',
    'memoryDispatcher',
    'memoryJournal',
    'serveHealth',
  ],
  './cluster/postgres': ['ClusterError', 'grantSql', 'holdFence', 'migrationSql', 'postgresJournal'],
  './cluster/bullmq': ['ClusterError', 'bullmqDispatcher'],
  './durable': ['attemptTurn', 'createMemoryLedger'],
  './durable/postgres': ['createPostgresLedger'],
  './dbos': ['dbosTurns', 'dbosTurnsClient'],
  './restate': ['conversations'],
  './temporal': ['TURN_FAILURES', 'TemporalError', 'conversationClient', 'turnActivities'],
  './temporal/workflow': [
    'TURN_FAILURES',
    'TURN_MESSAGES',
    'conversationWorkflow',
    'receiveAnswers',
    'runTurn',
  ],
  './remote': [
    'HealthError',
    'RemoteError',
    'connectCli',
    'createHealthHandler',
    'serveCli',
    'serveHealth',
    'serveLink',
  ],
  './otel': ['clusterTelemetry', 'tracedQuery', 'withTelemetry'],
  './ui': ['createUiChat', 'toNodeListener', 'toUiMessages', 'toUiResponse', 'toUiStream'],
  './types': [],
  './sdk-tools': [],
  './sdk-tools.js': [],
};

let building: Promise<BuiltPackage> | undefined;

afterAll(async () => {
  // A failed build has failed the tests that needed it, and left nothing to remove.
  const built = await building?.catch(() => undefined);
  built?.remove();
});

const asUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
const HOOK = `export const resolve = (name, context, next) => name === '@temporalio/workflow'
  ? { url: ${JSON.stringify(asUrl(`export const ${WORKFLOW_LIBRARY.map((name) => `${name} = 0`).join(', ')};`))}, shortCircuit: true } : next(name, context);`;
const STAND_IN = `(await import('node:module')).register(${JSON.stringify(asUrl(HOOK))});`;

async function readNames(entryPoint: string): Promise<string[]> {
  building ??= buildPackage();
  const { folder } = await building;
  const specifier = entryPoint.replace(/^\./, PROJECT_NAME);
  const script = `${STAND_IN}console.log(JSON.stringify(Object.keys(await import(${JSON.stringify(specifier)}))))`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
  });
  return (JSON.parse(stdout) as string[]).toSorted();
}

describe('the entry points of the package', () => {
  it('are those of the list', () => {
    const entryPoints = Object.keys(MANIFEST.exports).filter((entryPoint) => !entryPoint.endsWith('.json'));
    expect(entryPoints.toSorted()).toEqual(Object.keys(PUBLIC_NAMES).toSorted());
  });

  it.each(Object.entries(PUBLIC_NAMES))(
    '%s gives exactly the names of the list',
    async (entryPoint, names) => {
      expect(
        await readNames(entryPoint),
        `the names of "${entryPoint}" differ from the list in this test`,
      ).toEqual(names);
    },
    BUILD_TIMEOUT_MS,
  );

  it.each(Object.entries(PUBLIC_NAMES))('the list of %s is sorted, without doubles', (_, names) => {
    expect([...new Set(names)].toSorted()).toEqual(names);
  });

  it('name each thing they let through', () => {
    const files = readSourceFiles();
    for (const [path, text] of files) {
      if (path.startsWith('packages/inboard/src/')) {
        // The small entry point has the types of the large one; there is nothing to list twice.
        const allowed = path === 'packages/inboard/src/core.ts' ? [`export type * from './index.js';`] : [];
        expect(text.match(/^export (?:type )?\*.*|^export default.*/gm) ?? [], path).toEqual(allowed);
      }
    }
  });

  it('of errors are written down in each class, where no minifier renames them', () => {
    // A name that a class merely has by its declaration cannot be written to.
    const written = Object.entries(errors).map(([name, value]) => {
      const own = Object.getOwnPropertyDescriptor(value, 'name');
      return [name, own?.writable === true ? own.value : undefined];
    });
    expect(written).toEqual(Object.keys(errors).map((name) => [name, name]));
  });
});
