// Reads the `permissions` of a settings file. A rule that cannot be understood is ignored. Any other mistake makes all
// permissions unusable.
import { BAD, readChoice, readFields, readStrings, type Reader } from './setting-readers.js';

const MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions', 'auto'];

/** Reads `permissions.defaultMode`; `manual` is a synonym of `default`. */
const readMode: Reader = (value, note) =>
  value === 'manual' ? 'default' : readChoice(...MODES)(value, note);

/** Reads the whole of `permissions`. */
export const readPermissions: Reader = readFields({
  allow: readRules('allow'),
  deny: readRules('deny'),
  ask: readRules('ask'),
  defaultMode: readMode,
  additionalDirectories: readStrings,
  disableBypassPermissionsMode: readChoice('disable'),
  disableAutoMode: readChoice('disable'),
});

/** Reads a list of rules. In `allow`, a wildcard for the tool or the server is not accepted. */
export function readRules(list: 'allow' | 'deny' | 'ask'): Reader {
  return (value, note) => {
    if (!Array.isArray(value)) return BAD;
    return value.filter((rule, index) => {
      const fault = typeof rule === 'string' ? findRuleFault(rule, list) : 'is not a string';
      if (fault !== undefined) note(`[${index}]`, `${JSON.stringify(rule)} ${fault}`);
      return fault === undefined;
    });
  };
}

/** What is wrong with a rule such as `Bash(git *)` or `mcp__server__tool`, if anything. */
function findRuleFault(rule: string, list: 'allow' | 'deny' | 'ask'): string | undefined {
  if (rule.trim() === '') return 'is empty';
  const open = rule.search(/(?<!\\)\(/);
  if (rule.startsWith('mcp__')) {
    if (open !== -1) return 'is an MCP rule with parentheses, which never matches';
    const isServerOpen = rule.includes('*') && !/^mcp__[^*]+?__/.test(rule);
    return list === 'allow' && isServerOpen ? 'would allow every server' : undefined;
  }
  const name = open === -1 ? rule : rule.slice(0, open);
  if (open !== -1) {
    if (!/(?<!\\)\)$/.test(rule)) return 'has a parenthesis that is not closed at its end';
    const content = rule.slice(open + 1, -1);
    if (content === '') return 'has empty parentheses';
    if (content === ':*') return 'has a prefix without a command';
  }
  if (/^\p{Ll}/u.test(name)) return 'does not begin with the name of a tool';
  return list === 'allow' && name.includes('*') ? 'would allow every tool' : undefined;
}
