// What a ticket is, whether the agent proposes it or a person has edited it.
import { z } from 'zod';

export function text(name: string, most: number, least = 1) {
  const tooLong = ({ input = '' }: { input?: unknown }) =>
    `The ${name} has ${String(input).length} characters; at most ${most} are allowed.`;
  const missing = `The ${name} is missing.`;
  return z.string(missing).trim().min(least, missing).max(most, { error: tooLong });
}

export const choice = <const Choices extends readonly string[]>(name: string, ...choices: Choices) =>
  z.enum(choices, `The ${name} must be one of: ${choices.join(', ')}.`);

export const ticket = z.object({
  title: text('title', 120).describe('What is to be done, in at most ten words'),
  description: text('description', 4000, 0).describe('What one has to know to do it'),
  kind: choice('kind', 'bug', 'feature', 'task'),
  priority: choice('priority', 'low', 'normal', 'high').default('normal'),
});
