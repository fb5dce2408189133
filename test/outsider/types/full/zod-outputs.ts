// The same with a schema library.
import { openSession, query } from 'inboard';
import { z } from 'zod';

const output = z.object({ city: z.string(), at: z.string().transform((text) => new Date(text)) });

export async function read(): Promise<void> {
  const fromQuery: Date = (await query({ prompt: 'x', options: { output } }).output()).at;
  const answer = await openSession({ options: { output } }).send('x').output();
  const fromTurn: Date = answer.at;
  // @ts-expect-error There is no such field.
  console.log(fromQuery, fromTurn, answer.citty);
}
