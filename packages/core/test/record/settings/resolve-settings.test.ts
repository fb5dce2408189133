// Our answers beside those of the official functions on the same files (recorded by record-answers.mjs), and what
// ours say beyond them.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InvalidOptionsError } from '../../../src/errors.js';
import { filterEscalatingDefaultMode } from '../../../src/record/settings/filter-escalating-default-mode.js';
import { mergeSettings } from '../../../src/record/settings/merge-settings.js';
import { findPolicyFolder } from '../../../src/record/settings/machine-policy.js';
import {
  resolveSettings,
  resolveSettingsAt,
  type ResolvedSettings,
  type ResolveSettingsOptions,
} from '../../../src/record/settings/resolve-settings.js';
import type { Settings } from '../../../src/wire/protocol/config/settings.js';
import { propertyOptions } from '../../../../../test/support/seed.js';

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

describe('a settings file that is no ordinary file', () => {
  it.each<[string, (path: string) => unknown, string]>([
    ['a link to a device that never ends', (path) => symlink('/dev/zero', path), 'not a regular file'],
    ['a pipe that nobody writes to', (path) => execFileSync('mkfifo', [path]), 'not a regular file'],
    ['a folder', (path) => mkdir(path), 'not a regular file'],
    [
      'far too large',
      (path) => writeFile(path, ' '.repeat(16 * 1024 * 1024 + 1)),
      'larger than 16777216 bytes',
    ],
  ])('is refused, and the others are read: %s', async (_, make, words) => {
    await mkdir(join(root, 'work/.claude'));
    const path = join(root, 'work/.claude/settings.json');
    await make(path);
    const { effective, problems } = await resolveCase({
      name: '',
      files: { 'work/.claude/settings.local.json': { model: 'x' } },
    });
    expect(effective).toEqual({ model: 'x' });
    expect(problems).toMatchObject([{ path, message: expect.stringContaining(words) as string }]);
  });

  it('may be a link to an ordinary one', async () => {
    await write(join(root, 'elsewhere.json'), { model: 'x' });
    await mkdir(join(root, 'work/.claude'));
    await symlink(join(root, 'elsewhere.json'), join(root, 'work/.claude/settings.json'));
    expect(await resolveCase({ name: '' })).toMatchObject({ effective: { model: 'x' }, problems: [] });
  });
});

describe('mergeSettings', () => {
  // A merged object is a set of paths: each leaf of the upper layer, and those of the lower that it does not touch.
  const leaf = fc.oneof(fc.boolean(), fc.constantFrom('x', 'y'), fc.constant(null));
  const list = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 });
  const name = fc.constantFrom('a', 'b', 'toString', 'fallbackModel');
  const { layer } = fc.letrec<{ layer: Settings; value: unknown }>((tie) => ({
    layer: fc.dictionary(name, tie('value'), { maxKeys: 3 }),
    value: fc.oneof({ depthSize: 'small' }, leaf, list, tie('layer')),
  }));
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  function expected(lower: unknown, upper: unknown, isTop: boolean): unknown {
    if (Array.isArray(lower) && Array.isArray(upper)) {
      const all: unknown[] = [...(lower as unknown[]), ...(upper as unknown[])];
      return all.filter((item, index) => all.indexOf(item) === index);
    }
    if (!isObject(lower) || !isObject(upper)) return upper;
    const names = [...new Set([...Object.keys(lower), ...Object.keys(upper)])];
    return Object.fromEntries(
      names.map((key) => {
        if (!Object.hasOwn(upper, key)) return [key, lower[key]];
        const isReplaced = !Object.hasOwn(lower, key) || (isTop && key === 'fallbackModel');
        return [key, isReplaced ? upper[key] : expected(lower[key], upper[key], false)];
      }),
    );
  }

  it('is what a simple model says, changes nothing it was given', () => {
    fc.assert(
      fc.property(layer, layer, layer, (low, middle, high) => {
        const before = JSON.stringify([low, middle, high]);
        const merged = mergeSettings(low, middle);
        expect(merged).toEqual(expected(low, middle, true));
        expect(mergeSettings(merged, merged)).toEqual(expected(merged, merged, true));
        expect(mergeSettings(low, {})).toEqual(low);
        mergeSettings(merged, high);
        expect(JSON.stringify([low, middle, high])).toBe(before);
      }),
      propertyOptions(150),
    );
  });
});
