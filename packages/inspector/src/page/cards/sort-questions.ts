// The order of the cards.
import type { Question } from '../../stream/question.js';

/** The questions of the chosen session first, then the others; each part oldest first. */
export function sortQuestions(questions: readonly Question[], selected: string | undefined): Question[] {
  const rank = ({ session }: Question): number => (session === selected ? 0 : 1);
  return questions.toSorted((one, other) => rank(one) - rank(other) || one.askedAt - other.askedAt);
}
