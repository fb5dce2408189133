// Our answers beside those of the official functions on the same files (recorded by record-answers.mjs), and what
// ours say beyond them.
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InvalidOptionsError } from '../../../src/errors.js';
import { filterEscalatingDefaultMode } from '../../../src/record/settings/filter-escalating-default-mode.js';
import { findPolicyFolder } from '../../../src/record/settings/machine-policy.js';
import {
  resolveSettings,
  resolveSettingsAt,
  type ResolvedSettings,
  type ResolveSettingsOptions,
} from '../../../src/record/settings/resolve-settings.js';

interface Case {
  name: string;
  files?: Record<string, unknown>;
  policy?: Record<string, unknown>;
  options?: ResolveSettingsOptions;
}

const cases = JSON.parse(await readFile(new URL('cases.json', import.meta.url), 'utf8')) as Case[];
const answers = JSON.parse(
  await readFile(new URL('official-answers.json', import.meta.url), 'utf8'),
) as Record<string, { resolved: Omit<ResolvedSettings, 'problems'>; filtered: unknown }>;

/** Where we answer otherwise on purpose. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  'differs: an object over a list': 'theirs keeps the list and loses the object',
  'differs: a field that no hook has': 'theirs removes it; we pass on what we do not know',
  'differs: a field that no sandbox network has': 'theirs removes it; we pass on what we do not know',
  'differs: a word that the setting does not know': 'theirs removes it; the words are not ours to know',
  'differs: parts of a setting that is checked at its top only': 'theirs refuses the file',
};

let root: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'settings-')));
  for (const folder of ['home', 'config', 'work']) await mkdir(join(root, folder));
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

async function write(path: string, content: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
}

async function resolveCase({ files = {}, policy = {}, options = {} }: Case): Promise<ResolvedSettings> {
  for (const [path, content] of Object.entries(files)) await write(join(root, path), content);
  for (const [path, content] of Object.entries(policy)) await write(join(root, 'policy', path), content);
  const given = JSON.parse(JSON.stringify(options).replaceAll('ROOT', root)) as ResolveSettingsOptions;
  const cwd = given.cwd?.startsWith('/') === true ? given.cwd : join(root, 'work', given.cwd ?? '');
  const place = { configDir: join(root, 'config'), policyFolder: join(root, 'policy') };
  return await resolveSettingsAt({ ...given, cwd }, place);
}

/** What both sides have: keys in any order, paths without the folder of the run. */
function comparable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(root, 'ROOT'));
}

describe('resolveSettings', () => {
  it.each(cases)('answers like the official function: $name', async (given) => {
    const { problems: _, ...ours } = await resolveCase(given);
    const answer = answers[given.name];
    const same = { resolved: comparable(ours), filtered: comparable(filterEscalatingDefaultMode(ours)) };
    if (DIFFERENCES[given.name] === undefined) expect(same).toEqual(answer);
    else expect(same, 'no longer differs; take it off the list').not.toEqual(answer);
  });

  it('knows a case for each difference', () => {
    expect(cases.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(DIFFERENCES)));
  });

  it('says which file is not used, and why', async () => {
    const { problems } = await resolveCase({
      name: '',
      files: {
        'config/settings.json': { model: 5, permissions: { allow: ['bash', 'Read'] } },
        'work/.claude/settings.json': '{',
        'work/.claude/settings.local.json': { hooks: { Nope: [] }, effortLevel: 'huge' },
      },
      policy: { 'managed-settings.json': 'x', 'managed-settings.d/1.json': { verbose: 'yes' } },
      options: { serverManagedSettings: { model: 7 as never } },
    });
    expect(comparable(problems)).toEqual([
      { path: 'ROOT/config/settings.json', key: 'model', message: 'must be a string' },
      {
        path: 'ROOT/config/settings.json',
        key: 'permissions.allow[0]',
        message: '"bash" does not begin with the name of a tool',
      },
      {
        path: 'ROOT/work/.claude/settings.json',
        message: expect.stringMatching(/^could not be read: .*JSON/),
      },
      { path: 'ROOT/work/.claude/settings.local.json', key: 'hooks.Nope', message: 'is not a hook event' },
      {
        path: 'ROOT/work/.claude/settings.local.json',
        key: 'effortLevel',
        message: 'must be low, medium, high or xhigh',
      },
      {
        path: 'ROOT/policy/managed-settings.json',
        message: expect.stringMatching(/^could not be read: .*JSON/),
      },
      { path: 'ROOT/policy/managed-settings.d/1.json', key: 'verbose', message: 'must be true or false' },
      { key: 'serverManagedSettings.model', message: 'must be a string' },
    ]);
  });

  it('takes the folders of the user and the machine from the environment', async () => {
    await write(join(root, 'config', 'settings.json'), { model: 'mine' });
    vi.stubEnv('CLAUDE_CONFIG_DIR', join(root, 'config'));
    try {
      const { sources } = await resolveSettings({ cwd: root, settingSources: ['user'] });
      expect(sources[0]).toMatchObject({ source: 'user', settings: { model: 'mine' } });
    } finally {
      vi.unstubAllEnvs();
    }
    expect(findPolicyFolder('linux')).toBe('/etc/claude-code');
    expect(findPolicyFolder('darwin')).toContain('Application Support');
    expect(findPolicyFolder('win32')).toContain('Program Files');
  });

  it('refuses a policy that is a text', async () => {
    const managedSettings = '{"permissions":{}}' as never;
    await expect(resolveCase({ name: '', options: { managedSettings } })).rejects.toThrow(
      InvalidOptionsError,
    );
  });
});

describe('filterEscalatingDefaultMode', () => {
  it('gives the very settings it got when it removes nothing', () => {
    const effective = { permissions: { defaultMode: 'plan' as const } };
    const sources = [{ source: 'project' as const, settings: effective }];
    expect(filterEscalatingDefaultMode({ effective, sources })).toBe(effective);
    expect(filterEscalatingDefaultMode({ effective })).toBe(effective);
  });

  it('leaves what it got as it was', () => {
    const effective = { model: 'm', permissions: { defaultMode: 'auto' as const, allow: ['Read'] } };
    const sources = [{ source: 'project' as const, settings: effective }];
    expect(filterEscalatingDefaultMode({ effective, sources })).toEqual({
      model: 'm',
      permissions: { allow: ['Read'] },
    });
    expect(effective.permissions.defaultMode).toBe('auto');
  });
});
