// Reads the option `settings`, which may be an object, JSON, or the path of a file.
import { resolve } from 'node:path';
import type { Options } from '../../../options/options.js';
import { isInline } from '../../../options/rows/settings.js';
import { parseRecord } from '../../../util/guards.js';
import { disk } from '../../../util/system/disk.js';

/** Undefined where a file cannot be read, or does not hold a JSON object. */
export async function readFlagSettings({
  settings = {},
  cwd,
}: Pick<Options, 'settings' | 'cwd'>): Promise<Record<string, unknown> | undefined> {
  if (typeof settings !== 'string') return settings;
  if (settings === '') return {};
  const isText = isInline(settings);
  const text = isText
    ? settings
    : await disk.promises.readFile(resolve(cwd ?? '.', settings), 'utf8').catch(() => '');
  return parseRecord(text);
}
