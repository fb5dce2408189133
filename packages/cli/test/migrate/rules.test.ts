// Every rule: programs that show it, and programs that look like it and do not. False alarms are worse than misses.
import { describe, expect, it } from 'vitest';
import { AbortError, SessionClosedError, ToolServerNotFoundError } from '@inboard/core/errors.js';
import { findGivenOptions } from '../../src/migrate/program/given-options.js';
import { readProgram } from '../../src/migrate/program/program.js';
import { OURS } from '../../src/migrate/rules/error-messages.js';
import { MIGRATION_RULES } from '../../src/migrate/rules/rules.js';
import { readProjectFile } from '../../../../test/package/project.js';

const P = '@anthropic-ai/claude-agent-sdk';
const IMPORT = `import { query, createSdkMcpServer, AbortError, type Options } from '${P}';\n`;
const MISSING = new Set(['unstable_v2_prompt', 'default']);

/** What the rules find in a program, as "rule: line". */
function findIn(source: string, file = 'a.ts'): string[] {
  const program = readProgram(source, file);
  expect(program.problem).toBeUndefined();
  const options = findGivenOptions(program);
  const isExported = (_entryPoint: string, name: string): boolean => !MISSING.has(name);
  return MIGRATION_RULES.flatMap((rule) =>
    rule.find(program, { options, isExported }).map(({ offset, what, advice }) => {
      expect(what).toMatch(/[.?]$/);
      if (advice !== undefined) expect(advice).toMatch(/\.$/);
      return `${rule.id}: ${source.slice(0, offset).split('\n').length}`;
    }),
  );
}

const ask = (options: string): string => `${IMPORT}query({ prompt: 'x', options: ${options} });`;

/** Pairs of a rule and a program that it finds. */
const FOUND: [string, string][] = [
  ['renamed-export', `import { tool, type ToolContext } from 'inboard';`],
  ['renamed-export', `import { clusterCall } from 'inboard/cluster';`],
  ['renamed-export', `import type { ToolWarning } from 'inboard';`],
  ['renamed-export', `const { openSession } = await import('inboard/core');`],
  ['renamed-member', `import { run } from 'inboard';\nconst { text, costUsd } = await run({ prompt });`],
  [
    'renamed-member',
    `import { tool } from 'inboard';\ntool('a', 'b', {}, (_, extra) => extra.waitFor(person));`,
  ],
  ['renamed-member', `import { tool } from 'inboard';\ntool({ name: 'a', onRepeat: 'remembered', run });`],
  ['missing-entry', `import { a } from '${P}/browser';`],
  ['missing-entry', `const { extractFromBunfs } = await import('${P}/extract');`],
  ['missing-name', `import { unstable_v2_prompt } from '${P}';`],
  ['missing-name', `import sdk from '${P}';`],
  ['missing-name', `import * as sdk from '${P}';\nsdk.query({});`.replace('query', 'unstable_v2_prompt')],
  ['missing-name', `export { unstable_v2_prompt as ask } from '${P}';`],
  ['transport-type', `import type { Transport } from '${P}';`],
  ['cli-in-package', `const path = require.resolve('${P}/cli.js');`],
  ['cli-in-package', `const path = join(root, 'node_modules/${P}/cli.js');`],
  ['package-name-as-text', `export default { external: ['${P}'] };`],
  ['refused-option', ask(`{ sessionId: 'x' }`)],
  ['refused-option', ask(`{ allowedTools: 'Read' }`)],
  ['refused-option', ask(`{ model: 'a', fallbackModel: 'a' }`)],
  ['refused-option', ask(`{ resumeSessionAt: 'b3b5ef2c-0d4a-4a6e-9d4a-000000000000' }`)],
  ['refused-option', `${IMPORT}const o: Options = { maxBudgetUsd: 0 };`],
  ['refused-option', `${IMPORT}const o = { maxBudgetUsd: 0 };\nquery({ prompt: 'x', options: o });`],
  ['refused-option', `${IMPORT}f({ maxBudgetUsd: 0 } satisfies Options);`],
  [
    'refused-option',
    `import * as sdk from '${P}';\nsdk.query({ prompt, options: { ...base, maxBudgetUsd: 0 } });`,
  ],
  ['list-entry', ask(`{ allowedTools: ['Read,Bash'] }`)],
  ['list-entry', ask(`{ disallowedTools: ['Bash(rm', 'Write'] as const }`)],
  ['unknown-option', ask(`{ customSystemPrompt: text() }`)],
  ['relative-cli-path', ask(`{ pathToClaudeCodeExecutable: './claude' }`)],
  ['relative-cli-path', ask(`{ pathToClaudeCodeExecutable: 'bin/claude' }`)],
  ['stream-close-timeout', `process.env.CLAUDE_CODE_STREAM_CLOSE_TIMEOUT = '1';`],
  ['stream-close-timeout', `process.env['CLAUDE_CODE_STREAM_CLOSE_TIMEOUT'] = '1';`],
  ['error-message', `if (error.message.includes('Claude Code process exited with code')) retry();`],
  ['error-message', `if (String(error).toLowerCase().includes('process exited with code 1')) retry();`],
  ['error-message', `if (/process terminated by signal/.test(error.message)) retry();`],
  ['error-message', `if (error.message === 'Claude Code process aborted by user') return_();`],
  ['abort-error-name', `${IMPORT}if (error.name === 'AbortError') stop();`],
  ['launch-error-class', `${IMPORT}if (error instanceof ReferenceError) stop();`],
  [
    'rejection-filter',
    `process.on('unhandledRejection', (e) => { if (e.message.includes('ProcessTransport is not ready')) return; throw e; });`,
  ],
  ['close-not-awaited', `${IMPORT}const q = query({ prompt });\nq.close();`],
  [
    'close-not-awaited',
    `${IMPORT}class A { run() { this.q = query({ prompt }); }\n stop() { this.q?.close(); } }`,
  ],
  ['process-exit', `${IMPORT}for await (const m of query({ prompt })) {\n process.exit(0);\n}`],
  [
    'generator-prompt',
    `${IMPORT}async function* ask() { yield { type: 'user', message: { role: 'user', content: text } }; }\nquery({ prompt: ask() });`,
  ],
  [
    'dummy-hook',
    ask(`{ canUseTool, hooks: { PreToolUse: [{ hooks: [async () => ({ continue: true })] }] } }`),
  ],
  [
    'server-instance',
    `${IMPORT}const s = createSdkMcpServer({ name: 's' });\ns.instance.server.setRequestHandler(a, b);`,
  ],
  ['server-instance', `${IMPORT}const s = createSdkMcpServer({ name: 's' });\nuse(s.instance as McpServer);`],
  [
    'server-per-query',
    `${IMPORT}function go() { return query({ prompt, options: { mcpServers: { a: createSdkMcpServer({ name: 'a' }) } } }); }`,
  ],
  ['tracing-by-name', `import 'dd-trace/init';`],
];

describe('a rule', () => {
  it('has an id of its own, and sentences', () => {
    expect(new Set(MIGRATION_RULES.map(({ id }) => id)).size).toBe(MIGRATION_RULES.length);
    for (const { why, advice } of MIGRATION_RULES)
      for (const text of [why, advice]) expect(text).toMatch(/^["A-Z\w].*\.$/);
  });

  it('has programs that show it', () => {
    const shown = new Set([...FOUND.map(([id]) => id), 'keep-alive-promise']);
    expect(MIGRATION_RULES.filter(({ id }) => !shown.has(id)).map(({ id }) => id)).toEqual([]);
  });

  it.each(FOUND)('finds %s in %j', (id, source) => {
    expect(findIn(source).map((found) => found.split(':')[0])).toEqual([id]);
  });

  it('finds a promise that keeps a prompt open, besides the prompt', () => {
    const source = `${IMPORT}async function* ask() {
      yield { type: 'user', message: { role: 'user', content: 'x' } };
      await new Promise<void>(() => {});
    }
    query({ prompt: ask() });`;
    expect(findIn(source)).toEqual(['generator-prompt: 2', 'keep-alive-promise: 4']);
  });

  it('names each wrong option at its place', () => {
    const source = ask(
      `{\n  model: 'a',\n  sessionId: 'x',\n  allowedTools: ['A,B'],\n  maxBudgetUsd: 0,\n}`,
    );
    expect(findIn(source).toSorted()).toEqual(['list-entry: 5', 'refused-option: 4', 'refused-option: 6']);
  });

  it.each([
    `import { run } from 'inboard';\nawait vi.waitFor(done);\nconst { totalCostUsd } = await run({ prompt });`,
    `import { tool } from './own.js';\nuse({ costUsd, clusterCall, onRepeat: 'remembered' });`,
    ask(`{ allowedTools: ['Bash(git log:*)', 'mcp__a__b'], maxTurns: 5, model }`),
    ask(`{ sessionId, resume: id, forkSession: shouldFork() }`),
    ask(
      `{ sessionId: 'b3b5ef2c-0d4a-4a6e-9d4a-000000000000', resume: id, ...(fork && { forkSession: true }) }`,
    ),
    ask(`{ sessionId: 'x', ...rest }`),
    ask(`{ allowedTools: [...names, 'A,B'].filter(Boolean) }`),
    ask(`{ supportedDialogKinds: ['a'], onUserDialog }`),
    ask(`{ supportedDialogKinds: ['a'], ...callbacks }`),
    ask(`{ resumeSessionAt: 'b3b5ef2c-0d4a-4a6e-9d4a-000000000000', resume: session?.id }`),
    ask(`{ pathToClaudeCodeExecutable: 'claude' }`),
    ask(`{ pathToClaudeCodeExecutable: '/usr/bin/claude' }`),
    ask(`{ pathToClaudeCodeExecutable: 'C:\\\\claude.exe' }`),
    ask(
      `{ hooks: { PreToolUse: [{ hooks: [async (input) => { await log(input); return { continue: true }; }] }] }, canUseTool }`,
    ),
    ask(
      `{ env: { ...process.env, A: '1' }, stderr: (text) => console.error(text), abortController: new AbortController() }`,
    ),
    ask(
      `{ ['computed']: 1, 'permissionMode': 'plan', async canUseTool(name, input) { return { behavior: 'allow' }; } }`,
    ),
    ask(`cond ? { sessionId: 'x' } : undefined`),
    `${IMPORT}const options = {};\nif (a) { const options = { sessionId: 'x' }; }\nquery({ prompt, options });`,
    `${IMPORT}if (error.message.includes('exited with code')) retry();`,
    `${IMPORT}if (error instanceof AbortError) stop();`,
    `${IMPORT}const message = 'Claude Code process exited with code 1';`,
    `${IMPORT}if (error.message.includes('aborted')) stop();`,
    `${IMPORT}process.on('unhandledRejection', (e) => { log(e); process.exit(1); });`,
    `${IMPORT}const q = query({ prompt });\nawait q.close();\nserver.close();`,
    `${IMPORT}const q = query({ prompt });\nreturn_(() => q.close());\nvoid q.close();`,
    `${IMPORT}try { for await (const m of query({ prompt })) log(m); } catch { process.exit(1); }`,
    `${IMPORT}async function* ask() { for (const text of texts) yield { type: 'user', message: text }; }\nquery({ prompt: ask() });`,
    `${IMPORT}async function* ask() { yield { type: 'user', message: { content: [{ type: 'image' }] } }; }\nquery({ prompt: ask() });`,
    `async function* ask() { yield { type: 'user', message: text }; }`,
    `${IMPORT}const s = createSdkMcpServer({ name: 's' });\ns.instance.registerTool('a', {}, f);\ns.instance.server.notification(n);\naxios.instance.nothing;`,
    `${IMPORT}const s = createSdkMcpServer({ name: 's' });\nquery({ prompt, options: { mcpServers: { s } } });`,
    `import { query } from './own.js';\nquery({ prompt: 'x', options: { sessionId: 'x' } });`,
    `function query(a) {}\nquery({ options: { sessionId: 'x' } });`,
    `${IMPORT}db.query({ prompt: 'x', options: { sessionId: 'x' } });`,
    `const help = "Run with CLAUDE_CODE_STREAM_CLOSE_TIMEOUT=1 if it hangs";`,
    `import { wrapClaudeAgentSDK } from 'braintrust';`,
    `${IMPORT}// error.message.includes('Claude Code process exited with code')`,
  ])('finds nothing in %j', (source) => {
    expect(findIn(source)).toEqual([]);
  });

  it('counts the calls whose options it cannot read', () => {
    const count = (source: string): number => findGivenOptions(readProgram(IMPORT + source, 'a.ts')).unread;
    expect(count(`query({ prompt });`)).toBe(0);
    expect(count(`query({ prompt, options: {} });`)).toBe(0);
    expect(count(`const mine = {}; query({ prompt, options: mine! });`)).toBe(0);
    expect(count(`query({ prompt, options: build() });`)).toBe(1);
    expect(count(`query({ prompt, options: { ...base } });`)).toBe(1);
    expect(count(`query(input); query({ prompt, options });`)).toBe(2);
  });
});

describe('the messages of our own errors', () => {
  it('are those that comparisons are judged by', () => {
    const ending = readProjectFile('packages/core/src/live/ending.ts');
    const real = [
      new AbortError().message,
      new SessionClosedError().message,
      new ToolServerNotFoundError('a', []).message,
      ...(/exited with code \$\{/.test(ending)
        ? ['The Claude CLI exited with code 1 before its work was done. It wrote to stderr: ']
        : []),
      ...(/was ended by \$\{/.test(ending) ? ['The Claude CLI was ended by SIG'] : []),
      ...(ending.includes('The CLI returned an error result: ${')
        ? ['The CLI returned an error result: ']
        : []),
    ];
    for (const message of OURS)
      expect(
        real.some((each) => each.startsWith(message)),
        message,
      ).toBe(true);
  });
});
