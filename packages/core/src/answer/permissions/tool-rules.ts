// Reads the entries of `allowedTools` and `disallowedTools` that name whole tools, as the CLI does. The rules were measured
// on both supported CLIs. The two lists accept a wildcard in different places.
import { fitsPieces } from '../../util/wildcards.js';

/** The rules in a list. The CLI accepts several rules in one entry. */
export function splitRules(entries: readonly string[]): string[] {
  return entries.flatMap((entry) => readRuleEntry(entry).rules);
}

/** One entry as the CLI reads it. */
export interface ReadEntry {
  rules: string[];
  /** Whether a parenthesis is left open, so that the CLI reads the next entry as part of this one. */
  isOpen: boolean;
}

/**
 * Reads an entry as the CLI does. A comma or a space outside parentheses ends a rule. Parentheses do not nest, and a
 * backslash escapes nothing, so the first `)` closes the parentheses. Other white space is part of the rule.
 */
export function readRuleEntry(entry: string): ReadEntry {
  const rules: string[] = [];
  let rule = '';
  let isOpen = false;
  for (const letter of entry) {
    if (letter === '(') isOpen = true;
    if (letter === ')') isOpen = false;
    if (isOpen || (letter !== ',' && letter !== ' ')) rule += letter;
    else {
      rules.push(rule);
      rule = '';
    }
  }
  rules.push(rule);
  return { rules: rules.map((each) => each.trim()).filter((each) => each !== ''), isOpen };
}

/** The tool that a rule is about: the text before the parentheses. */
export function toolOfRule(rule: string): string {
  return rule.replace(/\(.*$/s, '').trim();
}

/**
 * Whether a rule takes a tool away from the model. The rule may be the tool's name, its server's name, or a pattern with
 * `*` anywhere.
 */
export function deniesTool(rule: string, toolName: string): boolean {
  return isNamedBy(rule, toolName) || (rule.includes('*') && fitsPattern(rule, toolName));
}

/** Whether a rule lets a tool run without a question. A `*` counts only after the server's name. */
export function allowsTool(rule: string, toolName: string): boolean {
  const [before = '', ...after] = rule.split('*');
  const hasWildcard = after.length > 0 && /^mcp__.+?__/s.test(before);
  return isNamedBy(rule, toolName) || (hasWildcard && fitsPattern(rule, toolName));
}

function isNamedBy(rule: string, toolName: string): boolean {
  return rule === toolName || (rule.startsWith('mcp__') && toolName.startsWith(`${rule}__`));
}

function fitsPattern(rule: string, toolName: string): boolean {
  return !rule.includes('(') && fitsPieces(rule.split('*'), toolName);
}
