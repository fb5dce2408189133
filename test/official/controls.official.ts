// Every method of a query, on both SDKs and the same recording CLI: the request it puts, byte for byte, and what becomes
// of a full answer, an empty one and a refusal.
import { beforeAll, describe, expect, it } from 'vitest';
import { loadBoth, playQuery, type AnySdk } from './record-query.js';

/** A method, its arguments, and, where ours gives something else on purpose, why. */
type Row = [method: string, parameters: unknown[], differs?: 'full' | 'empty' | 'refusal'];

const FULL = {
  still_queued: ['u'],
  mcpServers: [{ name: 's', status: 'connected' }],
  warning: 'w',
  backgrounded: false,
  canRewind: true,
  added: ['s'],
  removed: [],
  errors: {},
  contents: 'text',
  absPath: '/f',
  title: 'T',
  response: 'R',
  synthetic: true,
  cancelled: true,
};

const ROWS: Row[] = [
  // Ours gives the whole receipt.
  ['interrupt', [], 'full'],
  ['setPermissionMode', ['plan']],
  ['setModel', ['m']],
  ['setModel', []],
  ['setMaxThinkingTokens', [100]],
  ['setMaxThinkingTokens', [null]],
  ['setMaxThinkingTokens', [5, 'omitted']],
  ['initializationResult', []],
  ['supportedCommands', []],
  ['supportedModels', []],
  ['supportedAgents', []],
  ['accountInfo', []],
  // No list is an empty one.
  ['mcpServerStatus', [], 'empty'],
  ['reconnectMcpServer', ['s']],
  ['toggleMcpServer', ['s', false]],
  ['setMcpServers', [{ s: { command: 'c' } }]],
  ['setMcpPermissionModeOverride', ['s', 'auto']],
  ['readMcpResource', ['s', 'ui://x']],
  ['getContextUsage', []],
  ['getContextUsage', [{ detail: 'summary' }]],
  ['usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET', []],
  ['applyFlagSettings', [{ model: 'x' }]],
  ['updateSettings', ['localSettings', { outputStyle: 'x' }]],
  ['rewindFiles', ['u']],
  ['rewindFiles', ['u', { dryRun: true }]],
  ['seedReadState', ['/f', 1]],
  ['readFile', ['/f']],
  ['readFile', ['/f', { maxBytes: 5, encoding: 'base64' }]],
  ['reloadPlugins', []],
  ['reloadPlugins', [{ refuseIfBusy: true, holdOnCacheImpact: true }]],
  ['reloadSkills', []],
  ['reloadOutputStyles', []],
  ['stopTask', ['t']],
  ['backgroundTasks', []],
  ['backgroundTasks', ['u']],
  // What is not there is null or false here, and undefined there.
  ['generateSessionTitle', ['d', { persist: true }], 'empty'],
  ['generateSessionTitle', ['d'], 'empty'],
  ['renameSession', ['t']],
  ['renameSession', ['t', 'id']],
  ['askSideQuestion', ['q'], 'empty'],
  ['cancelAsyncMessage', ['u'], 'empty'],
  ['getTaskOutput', ['t']],
  ['getSettings', []],
  ['getHooksListing', []],
  ['listPermissionRules', []],
  ['getStatus', []],
  ['getPlan', []],
  ['exportConversation', []],
  ['setCwd', ['/x']],
  ['setPromptSuggestionsPaused', [true]],
  ['mcpAuthenticate', ['s']],
  ['mcpAuthenticate', ['s', 'http://localhost/']],
  ['mcpSubmitOAuthCallbackUrl', ['s', 'http://localhost/?code=1']],
  ['mcpClearAuth', ['s']],
  ['enableChannel', ['s']],
  ['enableRemoteControl', [true]],
  ['claudeAuthenticate', [true]],
  ['claudeOAuthCallback', ['code', 'state']],
  ['claudeOAuthWaitForCompletion', []],
];

let sdks: { ours: AnySdk; official: AnySdk };
beforeAll(async () => {
  sdks = await loadBoth();
});

async function call(sdk: AnySdk, [method, parameters]: Row, answer: object): Promise<object> {
  // The prompt stays open, so that the input does.
  const prompt = (async function* () {
    yield* [];
    await new Promise<void>(() => {});
  })();
  const { recording, outcome } = await playQuery(sdk, { prompt, options: {}, ...answer }, async (query) => {
    const run = query[method] as (...given: unknown[]) => Promise<unknown>;
    return run.apply(query, parameters).then(
      (value) => ({ value }),
      (error: Error) => ({ error: error.message }),
    );
  });
  return { outcome: outcome as object, lines: recording?.lines };
}

describe.each([
  ['full', { reply: FULL }],
  ['empty', {}],
  ['refusal', { refusal: 'no such request' }],
] as const)('every method with a %s answer', (kind, answer) => {
  it.each(ROWS.filter(([, , differs]) => differs !== kind).map((row) => ({ name: row[0], row })))(
    '$name',
    async ({ row }) => {
      expect(await call(sdks.ours, row, answer)).toEqual(await call(sdks.official, row, answer));
    },
  );
});
