// Reads the questions of the tool AskUserQuestion from its unchecked input, and writes the answers.
import { asString, isRecord } from '@inboard/core/util/guards.js';

/** An answer that is offered. */
export interface UserOption {
  label: string;
  description: string;
  preview: string | undefined;
}

export interface FormQuestion {
  /** Also the key of its answer. */
  question: string;
  header: string;
  options: UserOption[];
  multiSelect: boolean;
}

export function readUserQuestions(input: Record<string, unknown>): FormQuestion[] {
  const { questions } = input;
  return (Array.isArray(questions) ? questions.filter(isRecord) : []).map((each) => ({
    question: asString(each['question']) ?? '',
    header: asString(each['header']) ?? '',
    multiSelect: each['multiSelect'] === true,
    options: (Array.isArray(each['options']) ? each['options'].filter(isRecord) : []).map((option) => ({
      label: asString(option['label']) ?? '',
      description: asString(option['description']) ?? '',
      preview: asString(option['preview']),
    })),
  }));
}

/** The answers by the texts of their questions. Choices are joined by ", ", and the person's own words come last. */
export function writeAnswers(
  questions: readonly FormQuestion[],
  picks: Readonly<Record<number, { labels: readonly string[]; own: string }>>,
): Record<string, string> {
  const answers: Record<string, string> = {};
  for (const [place, { question, options }] of questions.entries()) {
    const { labels = [], own = '' } = picks[place] ?? {};
    // In the order of the options, not of the clicks.
    const chosen = options.filter(({ label }) => labels.includes(label)).map(({ label }) => label);
    const texts = own.trim() === '' ? chosen : [...chosen, own.trim()];
    if (texts.length > 0) answers[question] = texts.join(', ');
  }
  return answers;
}
