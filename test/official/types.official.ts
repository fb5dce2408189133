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
  lib: ['es2023', 'esnext.disposable'],
  types: ['node'],
  typeRoots: [join(root, 'node_modules', '@types')],
  strict: true,
  noEmit: true,
};

describe('the official names', () => {
  it('are ours too', () => {
    const door = readFileSync(join(root, 'src', 'doors', 'index.ts'), 'utf8');
    const ours = new Set(
      Array.from(door.matchAll(/export (?:type )?\{([^}]*)\}/g), ([, list = '']) => list.split(','))
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

describe('values of both', () => {
  // Beside the comparison's own node_modules, so that both packages find the libraries they name.
  const folder = mkdtempSync(join(here, 'node_modules', '.types-'));
  folders.push(folder);
  const paths = { official: [declarations], inboard: [join(root, 'src', 'doors', 'index.ts')] };
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
