// Asks the person the questions of the model (AskUserQuestion). An editor with forms shows one form. Any other editor shows one
// choice after the other.
import type { ElicitationPropertySchema, ToolCallUpdate } from '@agentclientprotocol/sdk';
import { answerQuestions, deny } from '@inboard/core/answer/permissions/decisions.js';
import { asString, isRecord } from '@inboard/core/util/guards.js';
import type { PermissionResult } from '@inboard/core/wire/protocol/control/permission-question.js';
import type { EditorLink } from './editor-link.js';
import { requestForm } from './request-form.js';
import { requestPermission } from './request-permission.js';

interface Question {
  question: string;
  header: string;
  isMultiple: boolean;
  options: { label: string; description: string }[];
}

interface Asked {
  call: ToolCallUpdate;
  input: Record<string, unknown>;
  signal: AbortSignal;
}

const UNANSWERED = 'The user did not answer.';

/** The call with the answers in its input, or a denial if the person gave none. */
export async function askQuestions(link: EditorLink, asked: Asked): Promise<PermissionResult> {
  const questions = readQuestions(asked.input);
  const answers = link.capabilities.elicitation?.form
    ? await askByForm(link, questions, asked)
    : await askByChoice(link, questions, asked);
  return answers === undefined ? deny(UNANSWERED) : answerQuestions(asked.input, answers);
}

function readQuestions({ questions }: Record<string, unknown>): Question[] {
  return (Array.isArray(questions) ? questions : []).filter(isRecord).map((one) => ({
    question: asString(one['question']) ?? '',
    header: asString(one['header']) ?? '',
    isMultiple: one['multiSelect'] === true,
    options: (Array.isArray(one['options']) ? one['options'] : []).filter(isRecord).map((option) => ({
      label: asString(option['label']) ?? '',
      description: asString(option['description']) ?? '',
    })),
  }));
}

type Answers = Record<string, string | string[]>;

// The form has a free text field beside each question. The model is told to expect such answers.
async function askByForm(
  link: EditorLink,
  questions: readonly Question[],
  { call, signal }: Asked,
): Promise<Answers | undefined> {
  const properties: Record<string, ElicitationPropertySchema> = {};
  for (const [index, question] of questions.entries()) {
    properties[`question${index + 1}`] = toProperty(question);
    properties[`other${index + 1}`] = { type: 'string', title: `${question.header}: something else` };
  }
  const answer = await requestForm(link, {
    message: questions.map(({ question }) => question).join('\n'),
    toolCallId: call.toolCallId,
    requestedSchema: { type: 'object', properties },
    signal,
  });
  if (answer?.action !== 'accept') return undefined;
  const content = answer.content ?? {};
  const answers: Answers = {};
  for (const [index, { question }] of questions.entries()) {
    const other = content[`other${index + 1}`];
    const chosen = content[`question${index + 1}`];
    const value = typeof other === 'string' && other.trim() !== '' ? other.trim() : chosen;
    if (typeof value === 'string' || Array.isArray(value)) answers[question] = value;
  }
  return Object.keys(answers).length > 0 ? answers : undefined;
}

function toProperty({ question, header, isMultiple, options }: Question): ElicitationPropertySchema {
  const about = { title: header, description: question };
  const choices = options.map(({ label, description }) => ({ const: label, title: label, description }));
  return isMultiple
    ? { type: 'array', ...about, items: { anyOf: choices } }
    : { type: 'string', ...about, oneOf: choices };
}

// A permission question takes one option, even if the model's question allows several.
async function askByChoice(
  link: EditorLink,
  questions: readonly Question[],
  { call, signal }: Asked,
): Promise<Answers | undefined> {
  const answers: Answers = {};
  for (const { question, options } of questions) {
    const list = options.map(({ label, description }) => `- ${label}: ${description}`).join('\n');
    const response = await requestPermission(link, {
      call: {
        ...call,
        title: question,
        content: [{ type: 'content', content: { type: 'text', text: `${question}\n\n${list}` } }],
      },
      options: [
        ...options.map(({ label }, index) => ({
          optionId: String(index),
          name: label,
          kind: 'allow_once' as const,
        })),
        { optionId: 'skip', name: 'Do not answer', kind: 'reject_once' },
      ],
      signal,
    });
    if (response?.outcome.outcome !== 'selected') return undefined;
    const chosen = options[Number(response.outcome.optionId)];
    if (!chosen) return undefined;
    answers[question] = chosen.label;
  }
  return answers;
}
