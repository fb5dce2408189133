// The rows of the options about the CLI's process. Most of these options are read by the code that starts the process.
import { isRecord } from '../../util/guards.js';
import type { OptionRows } from './option-row.js';
import { callback, entries, fields, flag, path, record, anyText, texts } from '../../util/option-shapes.js';

// Numbers and booleans become strings, as they do when Node starts a process. A name with `=` in it would set another
// variable. Only its first character may be `=`, because Windows has such names.
export const variables = entries(
  'an object whose values are strings',
  (value, name) =>
    !name.includes('=', 1) &&
    (value === undefined || value === null || ['string', 'number', 'boolean'].includes(typeof value)),
);
// An empty name would become `--`, after which the CLI reads no flags. With `=` in the name, the flag would have two
// values.
const FLAG_NAME = /^[^-=\p{Cc}][^=\p{Cc}]*$/u;
const extraArgs = entries(
  'an object that maps flag names without leading dashes to strings or null',
  (value, name) =>
    FLAG_NAME.test(name) && (value === null || value === undefined || typeof value === 'string'),
);

export const PROCESS = {
  cwd: { shape: anyText, host: true },
  env: { shape: variables, host: true },
  pathToClaudeCodeExecutable: { shape: anyText, host: true },
  executable: { shape: { ...path, expected: 'a runtime such as node, or the path of one' }, host: true },
  executableArgs: { shape: texts, host: true },
  extraArgs: {
    shape: { ...extraArgs, read: writeNumbersAndFlags },
    argv: {
      order: 360,
      write: (given) =>
        Object.entries(given)
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => ({ option: `extraArgs.${name}`, words: writeExtra(name, value ?? null) })),
    },
  },
  spawnClaudeCodeProcess: { shape: callback, host: true },
  abortController: { shape: fields('an AbortController', { signal: record, abort: callback }), host: true },
  stderr: { shape: callback, host: true },
  debug: {
    shape: flag,
    argv: { order: 100, flag: '--debug', from: (isOn, { debugFile }) => isOn && !debugFile },
  },
  debugFile: { shape: anyText, argv: { order: 100, flag: '--debug-file' } },
} satisfies Partial<OptionRows>;

function writeExtra(name: string, value: string | null): string[] {
  if (value === null) return [`--${name}`];
  return value.startsWith('-') ? [`--${name}=${value}`] : [`--${name}`, value];
}

function writeNumbersAndFlags(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const isPlain = (entry: unknown): boolean => typeof entry === 'number' || typeof entry === 'boolean';
  if (!Object.values(value).some(isPlain)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, isPlain(entry) ? String(entry) : entry]),
  );
}
