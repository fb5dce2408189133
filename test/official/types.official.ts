// The types of both packages: every name of the official one is ours too, and where a value of the one is used as the
// other it fits: what programs hand in must be accepted, what they are given must do for code written with the official
// types. Names and compiler verdicts only; nothing is taken from the official declarations.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { buildPackage, type BuiltPackage } from '../package/built-package.js';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const declarations = join(here, 'node_modules', '@anthropic-ai', 'claude-agent-sdk', 'sdk.d.ts');
const source = readFileSync(declarations, 'utf8');
const NAMES = [
  ...new Set(
    Array.from(
      source.matchAll(/^export (?:declare )?(?:type|interface|class|const|function) (\w+)/gm),
      ([, name = '']) => name,
    ),
  ),
];
const TYPES = new Set(
  Array.from(
    source.matchAll(/^export (?:declare )?(?:type|interface) (\w+)(?! *<)\b/gm),
    ([, name = '']) => name,
  ),
);

// No option of the official SDK takes a `Transport`, and ours is another thing; the helper type has other parameters.
const NOT_OURS = new Set(['Transport', 'InferShape']);

/** What programs hand in: the official value must do as ours. */
const HANDED_IN = [
  'AgentDefinition',
  'CanUseTool',
  'HookCallback',
  'HookCallbackMatcher',
  'HookJSONOutput',
  'McpServerConfig',
  'McpSdkServerConfigWithInstance',
  'OnElicitation',
  'OnUserDialog',
  'Options',
  'OutputFormat',
  'PermissionResult',
  'PermissionUpdate',
  'SDKUserMessage',
  'SandboxSettings',
  'SessionStore',
  'Settings',
  'SpawnedProcess',
  'ThinkingConfig',
];

/** What programs are given: ours must do as the official value. */
const GIVEN = [
  'AccountInfo',
  'AgentInfo',
  'ElicitationRequest',
  'HookInput',
  'McpServerStatus',
  'McpSetServersResult',
  'ModelInfo',
  'ModelUsage',
  'NonNullableUsage',
  'Query',
  'RewindFilesResult',
  'SDKAssistantMessage',
  'SDKControlInitializeResponse',
  'SDKMessage',
  'SDKPartialAssistantMessage',
  'SDKResultMessage',
  'SDKSessionInfo',
  'SDKSystemMessage',
  'SDKUserMessage',
  'SDKUserMessageReplay',
  'SessionMessage',
  'SlashCommand',
  'SpawnOptions',
  'WarmQuery',
];

const folders: string[] = [];
let building: Promise<BuiltPackage> | undefined;
afterAll(async () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  (await building?.catch(() => undefined))?.remove();
});

function compile(folder: string, file: string, compilerOptions: object): string[] {
  const config = join(folder, `tsconfig-${file}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions: { ...BASE, ...compilerOptions }, files: [file] }));
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin',
    'tsc',
  );
  try {
    execFileSync(process.execPath, [compiler, '-p', config], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return [];
  } catch (error) {
    return String((error as { stdout?: string }).stdout)
      .split('\n')
      .filter((line) => /error TS/.test(line));
  }
}

const BASE = {
  target: 'es2023',
  lib: ['es2023', 'es2024.string', 'esnext.disposable'],
  types: ['node'],
  typeRoots: [join(root, 'node_modules', '@types')],
  strict: true,
  noEmit: true,
};

const surface = JSON.parse(readFileSync(join(root, 'test', 'fixtures', 'official-surface.json'), 'utf8')) as {
  values: string[];
  types: string[];
};

describe('the official names', () => {
  // docs/surface.md calls every other name ours, and ours may move.
  it('are written down', () => {
    const known = new Set([...surface.values, ...surface.types]);
    expect(NAMES.filter((name) => !known.has(name))).toEqual([]);
  });

  it('are ours too', () => {
    const entryPoint = readFileSync(join(root, 'packages', 'inboard', 'src', 'index.ts'), 'utf8');
    const ours = new Set(
      Array.from(entryPoint.matchAll(/export (?:type )?\{([^}]*)\}/g), ([, list = '']) => list.split(','))
        .flat()
        .map((entry) =>
          entry
            .trim()
            .split(/\s+as\s+/)
            .pop(),
        ),
    );
    expect(NAMES.length).toBeGreaterThan(250);
    expect(NAMES.filter((name) => !ours.has(name) && !NOT_OURS.has(name))).toEqual([]);
  });
});

// Fields of tools that no CLI was seen to offer here: ours are open records, which fit nothing that has names.
const UNSEEN = [
  'ArtifactInput',
  'ArtifactOutput',
  'ClaudeDesignInput',
  'ClaudeDesignOutput',
  'OfferChromeSetupInput',
  'OfferChromeSetupOutput',
  'ProjectsInput',
  'ProjectsOutput',
  'ProposeGoalInput',
  'ProposeGoalOutput',
  'ProposeSkillsInput',
  'ProposeSkillsOutput',
  'PushNotificationInput',
  'PushNotificationOutput',
  'ReadNotificationsInput',
  'ReadNotificationsOutput',
  'RefreshMcpToolsInput',
  'RefreshMcpToolsOutput',
  'RemoteTriggerInput',
  'RemoteTriggerOutput',
  'SendFeedbackInput',
  'SendFeedbackOutput',
  'ShowOnboardingRolePickerInput',
  'ShowOnboardingRolePickerOutput',
];

/**
 * Types that differ on purpose, by the direction in which a value of the one does not do as the other, and why. A name
 * that fits again must leave the list.
 */
const DIFFERENT = {
  officialToOurs: {
    Query: 'ours has more methods',
    SpareProcess: 'ours has the process id, and gives a query of ours',
    WarmQuery: 'ours has the process id, and gives a query of ours',
    Transport: 'another thing: see above',
    ResolvedSettings: 'ours tells of problems, too',
    SDKControlRequest: 'ours says what a list of tools holds',
    SDKControlResponse: 'holds such requests',
    ToolInputSchemas: 'the union holds tools that were not seen',
    ToolOutputSchemas: 'the union holds tools that were not seen',
    FileReadOutput: 'ours says what cells of a notebook are',
    McpOutput: 'ours says that results are blocks',
    EnterPlanModeInput: 'ours says that there are no fields',
    TaskListInput: 'ours says that there are no fields',
    CronListInput: 'ours says that there are no fields',
  },
  oursToOfficial: {
    AnyZodRawShape: 'ours takes any version of zod',
    HookCallback: 'ours may answer with a decision of permissions: allow() or deny()',
    HookCallbackMatcher: 'holds such callbacks',
    McpSdkServerConfigWithInstance: 'ours takes servers of any MCP library',
    McpServerConfig: 'holds such servers',
    Options: 'ours takes undefined among extra arguments, and servers of any MCP library',
    Settings: 'a setting may be a text where the official type has only the list',
    ClaimOptions: 'holds settings',
    ResolveSettingsOptions: 'holds settings',
    ResolvedSettings: 'holds settings',
    Transport: 'another thing: see above',
    SDKControlRequest: 'ours holds a request that the official union has not',
    SDKControlResponse: 'holds such requests',
    ToolOutputSchemas: 'the union holds tools that were not seen',
    AgentOutput: 'ours leaves open which counts a usage has besides those seen',
    AskUserQuestionInput: 'ours has lists where the official type has tuples of each length',
    AskUserQuestionOutput: 'ours has lists where the official type has tuples of each length',
    WorkflowInput: 'a script gets its arguments as they are, which need not be an object',
  },
} satisfies Record<string, Record<string, string>>;

describe('every exported type, both ways', () => {
  const folder = mkdtempSync(join(here, 'node_modules', '.types-'));
  folders.push(folder);

  it.each(['officialToOurs', 'oursToOfficial'] as const)('fits or is listed: %s', (direction) => {
    const misfits = (['index', 'sdk-tools'] as const).flatMap((entryPoint) =>
      findMisfits(entryPoint, direction),
    );
    const unseen = misfits.filter((name) => UNSEEN.includes(name));
    expect(unseen.length).toBeGreaterThan(10);
    const expected = Object.keys(DIFFERENT[direction]);
    expect(misfits.filter((name) => !UNSEEN.includes(name)).toSorted()).toEqual(expected.toSorted());
  });

  function findMisfits(entryPoint: 'index' | 'sdk-tools', direction: keyof typeof DIFFERENT): string[] {
    const official = entryPoint === 'index' ? declarations : join(dirname(declarations), 'sdk-tools.d.ts');
    const names = [
      ...new Set(
        Array.from(
          readFileSync(official, 'utf8').matchAll(/^export (?:declare )?(?:type|interface) (\w+)(?! *<)\b/gm),
          ([, name = '']) => name,
        ),
      ),
    ].filter((name) => name !== 'InferShape');
    expect(names.length).toBeGreaterThan(80);
    const lines = names.map((name) =>
      direction === 'officialToOurs'
        ? `export const ${name} = (value: Official.${name}): Ours.${name} => value;`
        : `export const ${name} = (value: Ours.${name}): Official.${name} => value;`,
    );
    const head = "import type * as Official from 'official';\nimport type * as Ours from 'inboard';\n";
    const file = `${entryPoint}-${direction}.mts`;
    writeFileSync(join(folder, file), head + lines.join('\n'));
    const paths = {
      official: [official],
      inboard: [join(root, 'packages', 'inboard', 'src', `${entryPoint}.ts`)],
    };
    const options = { module: 'nodenext', moduleResolution: 'nodenext', skipLibCheck: true, paths };
    const errors = compile(folder, file, options).filter((line) => line.includes(file));
    return [...new Set(errors.map((line) => names[Number(/\((\d+),/.exec(line)?.[1]) - 3] ?? line))];
  }
});

describe('values of both', () => {
  // Beside the comparison's own node_modules, so that both packages find the libraries they name.
  const folder = mkdtempSync(join(here, 'node_modules', '.types-'));
  folders.push(folder);
  const paths = { official: [declarations], inboard: [join(root, 'packages', 'inboard', 'src', 'index.ts')] };
  const options = { module: 'nodenext', moduleResolution: 'nodenext', skipLibCheck: true, paths };
  const check = (file: string, lines: string[]): string[] => {
    const head = "import type * as Official from 'official';\nimport type * as Ours from 'inboard';\n";
    writeFileSync(join(folder, file), head + lines.join('\n'));
    const errors = compile(folder, file, options);
    return errors.map((line) => lines[Number(/\((\d+),/.exec(line)?.[1]) - 3] ?? line);
  };

  it('that are handed in are taken', () => {
    const lines = HANDED_IN.filter((name) => TYPES.has(name)).map(
      (name) => `export const ${name} = (value: Official.${name}): Ours.${name} => value;`,
    );
    expect(check('handed-in.mts', lines)).toEqual([]);
  });

  it('that are given do as the official ones', () => {
    const lines = GIVEN.filter((name) => TYPES.has(name)).map(
      (name) => `export const ${name} = (value: Ours.${name}): Official.${name} => value;`,
    );
    expect(check('given.mts', lines)).toEqual([]);
  });
});

describe('a consumer of the built package', () => {
  it.each(
    (['nodenext', 'node16', 'bundler'] as const).flatMap((resolution) =>
      [true, false].map((exact) => ({ resolution, exact })),
    ),
  )('compiles with $resolution, exactOptionalPropertyTypes $exact, and no skipLibCheck', async (given) => {
    building ??= buildPackage();
    const { folder } = await building;
    const types = NAMES.filter((name) => TYPES.has(name) && !NOT_OURS.has(name));
    const lines = [
      `import type { ${types.join(', ')} } from 'inboard';`,
      "import { query } from 'inboard';",
      `export type All = [${types.join(', ')}];`,
      'export async function read(options: Options): Promise<string> {',
      "  let said = '';",
      "  for await (const message of query({ prompt: 'x', options })) {",
      "    if (message.type === 'assistant') {",
      "      for (const block of message.message.content) if (block.type === 'text') said += block.text;",
      '    }',
      "    if (message.type === 'result' && message.subtype === 'success') said += message.result;",
      "    if (message.type === 'user' && 'isReplay' in message) said += message.uuid;",
      '  }',
      '  return said;',
      '}',
    ];
    const file = `consumer-${given.resolution}-${String(given.exact)}.mts`;
    writeFileSync(join(folder, file), lines.join('\n'));
    const errors = compile(folder, file, {
      module: given.resolution === 'bundler' ? 'esnext' : given.resolution,
      moduleResolution: given.resolution,
      exactOptionalPropertyTypes: given.exact,
      skipLibCheck: false,
    });
    expect(errors).toEqual([]);
  });
});
