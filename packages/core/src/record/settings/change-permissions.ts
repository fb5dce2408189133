// Changes permissions as the CLI does: in an object of settings, and in a settings file. The CLI saves a person's
// permanent decisions in such a file.
import { lstat, mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isRecord, parseRecord } from '../../util/guards.js';
import { moveOver } from '../../util/move-over.js';
import { randomUUID } from '../../util/random-uuid.js';
import type { PermissionRuleValue, PermissionUpdate } from '../../wire/protocol/control/permissions.js';

/** The part of settings that is about permissions. Keys unknown here are kept. */
export type ChangedPermissions = Record<string, unknown>;

/** Makes these changes in order. Returns the same object if nothing changes. Throws for an unknown kind of change. */
export function changePermissions(
  permissions: ChangedPermissions,
  updates: readonly PermissionUpdate[],
): ChangedPermissions {
  let changed = permissions;
  for (const update of updates) {
    if (!Object.hasOwn(CHANGES, update.type))
      throw new Error(`there is no change of permissions "${update.type}"`);
    changed = CHANGES[update.type](changed, update as never);
  }
  return changed;
}

/**
 * Makes changes in a settings file, and creates the file if there is none. Rejects if the file is not a JSON object or
 * cannot be written. The file then stays unchanged.
 */
export async function changePermissionsInFile(
  path: string,
  updates: readonly PermissionUpdate[],
): Promise<void> {
  const content = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  // Editors on Windows write a byte order mark at the start.
  const json = content?.replace(/^\uFEFF/, '').trim() ?? '';
  const settings = json === '' ? {} : parseRecord(json);
  if (!settings) throw new Error(`${path} is not a JSON object`);
  const before = isRecord(settings['permissions']) ? settings['permissions'] : {};
  const permissions = changePermissions(before, updates);
  if (permissions === before) return;
  await replaceFile(path, `${JSON.stringify({ ...settings, permissions }, null, 2)}\n`);
}

/** A rule as it is written in settings, such as `Bash(git *)`. */
export function spellRule({ toolName, ruleContent }: PermissionRuleValue): string {
  if (ruleContent === undefined || ruleContent === '') return toolName;
  return `${toolName}(${ruleContent.replaceAll(/[\\()]/g, String.raw`\$&`)})`;
}

type RuleUpdate = Extract<PermissionUpdate, { rules: unknown }>;
type FolderUpdate = Extract<PermissionUpdate, { directories: unknown }>;
type ModeUpdate = Extract<PermissionUpdate, { mode: unknown }>;

const rulesOf = ({ rules }: RuleUpdate): string[] => rules.map((rule) => spellRule(rule));

const CHANGES = {
  addRules: (permissions: ChangedPermissions, update: RuleUpdate) =>
    add(permissions, update.behavior, rulesOf(update)),
  replaceRules: (permissions: ChangedPermissions, update: RuleUpdate) =>
    setList(permissions, update.behavior, rulesOf(update)),
  removeRules: (permissions: ChangedPermissions, update: RuleUpdate) =>
    remove(permissions, update.behavior, rulesOf(update)),
  addDirectories: (permissions: ChangedPermissions, { directories }: FolderUpdate) =>
    add(permissions, FOLDERS, directories),
  removeDirectories: (permissions: ChangedPermissions, { directories }: FolderUpdate) =>
    remove(permissions, FOLDERS, directories),
  setMode: (permissions: ChangedPermissions, { mode }: ModeUpdate) =>
    permissions['defaultMode'] === mode ? permissions : { ...permissions, defaultMode: mode },
} satisfies Record<PermissionUpdate['type'], unknown>;

const FOLDERS = 'additionalDirectories';

function add(permissions: ChangedPermissions, key: string, values: readonly string[]): ChangedPermissions {
  const list = listOf(permissions, key);
  const added = [...new Set(values)].filter((value) => !list.includes(value));
  return added.length === 0 ? permissions : { ...permissions, [key]: [...list, ...added] };
}

function remove(permissions: ChangedPermissions, key: string, values: readonly string[]): ChangedPermissions {
  const list = listOf(permissions, key);
  const left = list.filter((value) => !values.includes(value as string));
  return left.length === list.length ? permissions : { ...permissions, [key]: left };
}

function setList(permissions: ChangedPermissions, key: string, values: string[]): ChangedPermissions {
  return JSON.stringify(permissions[key]) === JSON.stringify(values)
    ? permissions
    : { ...permissions, [key]: values };
}

function listOf(permissions: ChangedPermissions, key: string): unknown[] {
  const list = permissions[key];
  return Array.isArray(list) ? list : [];
}

/** Replaces the file as a whole, so that no reader sees half of it. A link stays a link. */
async function replaceFile(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  const target = isThere ? await realpath(path) : path;
  const mode = isThere ? (await stat(target)).mode & 0o777 : undefined;
  const draft = `${target}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, content, { flag: 'wx', ...(mode !== undefined && { mode }) });
    await moveOver(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
}
