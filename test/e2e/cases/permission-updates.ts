// Changes of the permissions that travel with an allowance: all six kinds, each with an effect one can see.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { allow, createSdkMcpServer, text, tool, toolUse } from '../support/inboard.js';
import type { CanUseTool, PermissionUpdate } from '../support/inboard.js';
import { onStage } from '../support/stage.js';
import { readRest } from '../support/talk.js';

/** A callback that allows everything, remembers what it was asked about, and makes a change with the n-th answer. */
function remember(changes: readonly (PermissionUpdate | undefined)[]): {
  canUseTool: CanUseTool;
  asked: string[];
} {
  const asked: string[] = [];
  const canUseTool: CanUseTool = (name, input) => {
    const change = changes[asked.length];
    asked.push(`${name} ${Object.values(input).map(String).join(' ')}`.trim());
    return Promise.resolve(allow(change ? { remember: [change] } : {}));
  };
  return { canUseTool, asked };
}

function createServer() {
  const tools = ['a', 'b'].map((name) => tool(name, `Says ${name}.`, {}, () => name));
  return createSdkMcpServer({ name: 'local', tools });
}

const A = { toolName: 'mcp__local__a' };
const B = { toolName: 'mcp__local__b' };
const inSession = { behavior: 'allow', destination: 'session' } as const;

async function changeRules(cli: Cli): Promise<void> {
  const { canUseTool, asked } = remember([
    { type: 'addRules', rules: [A], ...inSession },
    { type: 'replaceRules', rules: [B], ...inSession },
    undefined,
    { type: 'removeRules', rules: [B], ...inSession },
  ]);
  const steps: [called: string, isAsked: boolean][] = [
    ['a', true], // with addRules a
    ['a', false],
    ['b', true], // with replaceRules b
    ['b', false],
    ['a', true],
    ['a', true], // with removeRules b
    ['b', true],
  ];
  const script = [...steps.map(([name]) => toolUse(`mcp__local__${name}`)), text('Done.')];
  await onStage(cli, { script }, async (stage) => {
    const { query } = stage.start('Go.', { canUseTool, mcpServers: { local: createServer() } });
    expect((await readRest(query)).error).toBeUndefined();
    expect(asked).toEqual(steps.filter(([, isAsked]) => isAsked).map(([name]) => `mcp__local__${name}`));
  });
}

async function changeModeAndFolders(cli: Cli): Promise<void> {
  const outside = await realpath(await mkdtemp(join(tmpdir(), 'inboard-outside-')));
  try {
    const path = join(outside, 'file');
    await writeFile(path, 'words\n');
    const folder = { directories: [outside], destination: 'session' as const };
    const { canUseTool, asked } = remember([
      { type: 'addDirectories', ...folder },
      { type: 'removeDirectories', ...folder },
      undefined,
      { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
    ]);
    const read = toolUse('Read', { file_path: path });
    const touch = (name: string) => toolUse('Bash', { command: `touch ${name}` });
    const script = [
      read, // asked, with addDirectories
      read,
      touch('one'), // asked, with removeDirectories
      read, // asked
      touch('two'), // asked, with acceptEdits
      touch('three'),
      text('Done.'),
    ];
    await onStage(cli, { script }, async (stage) => {
      expect((await readRest(stage.start('Go.', { canUseTool }).query)).error).toBeUndefined();
      expect(asked).toEqual([`Read ${path}`, 'Bash touch one', `Read ${path}`, 'Bash touch two']);
      expect(existsSync(join(stage.home.cwd, 'three'))).toBe(true);
    });
  } finally {
    await rm(outside, { recursive: true });
  }
}

async function writeRulesDown(cli: Cli): Promise<void> {
  const rules = { rules: [A], behavior: 'allow' as const };
  const { canUseTool, asked } = remember([{ type: 'addRules', ...rules, destination: 'localSettings' }]);
  const script = [toolUse('mcp__local__a'), toolUse('mcp__local__a'), text('Done.')];
  await onStage(cli, { script }, async (stage) => {
    const { query } = stage.start('Go.', {
      canUseTool,
      settingSources: ['local'],
      mcpServers: { local: createServer() },
    });
    expect((await readRest(query)).error).toBeUndefined();
    expect(asked).toEqual(['mcp__local__a']);
    const file = await readFile(join(stage.home.cwd, '.claude', 'settings.local.json'), 'utf8');
    expect(JSON.parse(file)).toMatchObject({ permissions: { allow: ['mcp__local__a'] } });
  });
}

export const permissionUpdateCases: CaseSet = {
  'adds, replaces and removes rules': changeRules,
  'changes the mode and the folders': changeModeAndFolders,
  'writes a rule to the settings': writeRulesDown,
};
