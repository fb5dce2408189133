// Finds open questions about the same tool, so that a person can answer several at once after having read all of them.
import type { Question } from '../stream/question.js';
import { diffEdits } from './form/input-edits.js';

/** Questions to which one answer means the same, because they ask the same. */
export type SameQuestions = readonly [Question, ...Question[]];

/** The questions that can be answered and are about the tool of a question, which is one of them. Empty if none is about a call. */
export function listSameTool(
  questions: readonly Question[],
  { kind, subject }: Pick<Question, 'kind' | 'subject'>,
): Question[] {
  if (kind !== 'permission' && kind !== 'held') return [];
  return questions.filter((each) => each.kind === kind && each.subject === subject && each.canAnswer);
}

/** Groups questions about one tool by what they ask for, in their order. */
export function groupSame(questions: readonly Question[]): SameQuestions[] {
  const groups: [Question, ...Question[]][] = [];
  for (const each of questions) {
    const group = groups.find(([first]) => isSame(first, each));
    if (group) group.push(each);
    else groups.push([each]);
  }
  return groups;
}

/**
 * Whether two questions ask for the same. In another session the same input may do something else, and behind two hidden values
 * may be different ones.
 */
function isSame(one: Question, other: Question): boolean {
  return (
    one.session === other.session &&
    one.hidden.length + other.hidden.length === 0 &&
    one.blockedPath === other.blockedPath &&
    diffEdits(one.input, other.input).length === 0
  );
}
