// Writes the mistakes in a value as text for the model or a person. A value can be wrong in a hundred thousand places, and
// a message can quote the value itself. So only the first mistakes are listed, and long texts are cut.
import { boundText } from '../../util/bounded-text.js';
import type { SchemaIssue } from './compiled-schema.js';

const MOST_ISSUES = 50;
const PATH_CHARACTERS = 200;
const MESSAGE_CHARACTERS = 500;
const ALL_CHARACTERS = 10_000;

/** A text for each of the first issues. A last text says how many more there are. */
export function describeIssues(issues: readonly SchemaIssue[], whole = '(the whole)'): string[] {
  const texts: string[] = [];
  let characters = 0;
  for (const { path, message } of issues.slice(0, MOST_ISSUES)) {
    const text = [boundText(path.join('.'), PATH_CHARACTERS) || whole, boundText(message, MESSAGE_CHARACTERS)]
      .filter((part) => part !== '')
      .join(': ');
    characters += text.length;
    if (texts.length > 0 && characters > ALL_CHARACTERS) break;
    texts.push(text);
  }
  const left = issues.length - texts.length;
  return left > 0 ? [...texts, `and ${left} more, not listed here`] : texts;
}

/** The first issues as the lines of a list. */
export function listIssues(issues: readonly SchemaIssue[]): string {
  return describeIssues(issues)
    .map((text) => `- ${text}`)
    .join('\n');
}
