// Finds values that would not reach the CLI unchanged: an entry that the CLI would read as several, or text that no
// command line can hold. The option rows say which options become arguments, so new options are checked, too.
import { rewriteName } from '../../answer/mcp/tool/tool-name.js';
import { readRuleEntry } from '../../answer/permissions/tool-rules.js';
import { isRecord } from '../../util/guards.js';
import { writeFlags } from '../launch/cli-arguments.js';
import type { Options } from '../options.js';
import { listGiven, type GivenOption } from '../rows/option-rows.js';
import { isTextList } from '../../util/option-shapes.js';
import type { Problem } from './contradictions.js';

/** The problems of options that become words of the command line, variables of the environment, or paths. */
export function findArgumentProblems(options: Options): Problem[] {
  return listGiven(options).flatMap((given) => [
    ...findBrokenText(given, options),
    ...findSplitEntries(given, options),
  ]);
}

// The CLI splits all its lists by the same rules. An open parenthesis would hide the entries after it. They may be rules
// that deny tools.
function findSplitEntries({ name, value, row }: GivenOption, options: Options): Problem[] {
  if (!row.argv || !isTextList(value)) return [];
  const written = writeFlags({ name, value, row }, { ...options, version: undefined });
  const items = written.flatMap(({ argument }) => argument.items ?? []);
  return items.flatMap((item, index) => {
    const { rules, isOpen } = readRuleEntry(item);
    if (item.trim() === '' || (rules.length === 1 && rules[0] === item.trim() && !isOpen)) return [];
    const found = isOpen
      ? 'leaves a parenthesis open, so the CLI would read the next entries as part of it. Close it.'
      : `the CLI would read as ${rules.length}: ${rules.map((rule) => JSON.stringify(rule)).join(', ') || 'nothing'}. ` +
        'Make each a separate entry.';
    const message = `The option "${name}" has the entry ${JSON.stringify(item)} at index ${index}, which ${found}`;
    return [{ options: [name], message: message + adviseOn(item) }];
  });
}

function adviseOn(item: string): string {
  if (item.includes('('))
    return ' A rule with nested parentheses can only be given in "settings", under "permissions".';
  return item.startsWith('mcp__') ? ` If this is one tool, the CLI knows it as "${rewriteName(item)}".` : '';
}

// Broken text inside JSON is escaped, so it arrives. In any other word of the command line it does not.
function findBrokenText({ name, value, row }: GivenOption, options: Options): Problem[] {
  const broken = row.argv || HOST_WORDS.has(name) ? findBroken(value, name, 0) : undefined;
  if (broken === undefined) return [];
  const written = row.argv ? writeFlags({ name, value, row }, { ...options, version: undefined }) : [];
  if (row.argv && !written.some(({ argument }) => argument.words.some((word) => explainText(word))))
    return [];
  const message = `The option "${name}" cannot be passed on: ${broken.path} ${broken.why}. Remove it.`;
  return [{ options: [name], message }];
}

// Options that are used to start the process, but are not arguments of the CLI.
const HOST_WORDS: ReadonlySet<string> = new Set<keyof Options>([
  'cwd',
  'env',
  'extendEnv',
  'executable',
  'executableArgs',
  'pathToClaudeCodeExecutable',
]);

// Text that is not written as JSON lies at most this deep: in the fields of a list's items.
const DEEPEST = 2;

function findBroken(value: unknown, path: string, depth: number): { path: string; why: string } | undefined {
  if (typeof value === 'string') {
    const why = explainText(value);
    return why === undefined ? undefined : { path, why };
  }
  if (depth === DEEPEST) return undefined;
  const entries: Array<[string, unknown]> = Array.isArray(value)
    ? value.map((item, index) => [`${path}[${index}]`, item])
    : isRecord(value)
      ? Object.entries(value).map(([key, item]) => [`${path}.${key}`, item])
      : [];
  for (const [inner, item] of entries) {
    const found = findBroken(inner, 'a name', DEEPEST) ?? findBroken(item, inner, depth + 1);
    if (found) return found;
  }
  return undefined;
}

function explainText(text: string): string | undefined {
  if (text.includes('\0')) return 'has a NUL character, which would cut the text off';
  return text.isWellFormed()
    ? undefined
    : 'has half a surrogate pair, which would arrive as a different character';
}
