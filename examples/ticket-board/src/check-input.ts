// Which input makes a ticket, whether the agent proposes it or a person has edited it.
import { HTTPException } from 'hono/http-exception';

/** Says no to whoever asked, in words for a person. */
export function refuse(status: 403 | 404 | 409 | 410 | 413 | 415 | 422, message: string): never {
  throw new HTTPException(status, { message });
}

export function checkText(value: unknown, name: string, most: number, least = 1): string {
  const text = typeof value === 'string' ? value.trim() : '';
  if (text.length < least) refuse(422, `The ${name} is missing.`);
  if (text.length > most)
    refuse(422, `The ${name} has ${text.length} characters; at most ${most} are allowed.`);
  return text;
}

export function checkChoice(value: unknown, name: string, ...choices: string[]): string {
  return (
    choices.find((each) => each === value) ??
    refuse(422, `The ${name} must be one of: ${choices.join(', ')}.`)
  );
}

export function checkTicket(input: Readonly<Record<string, unknown>>) {
  return {
    title: checkText(input['title'], 'title', 120),
    description: checkText(input['description'], 'description', 4000, 0),
    kind: checkChoice(input['kind'], 'kind', 'bug', 'feature', 'task'),
    priority: checkChoice(input['priority'] ?? 'normal', 'priority', 'low', 'normal', 'high'),
  };
}
