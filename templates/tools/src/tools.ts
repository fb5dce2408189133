// The tools file. The agent of this program imports it; `inboard serve` serves it over stdio and over HTTP. No tool knows how
// it is called: each gets its caller as `context`.
import { createSdkMcpServer, tool, type ToolClient, type HandlerExtra } from 'inboard';
import { findCaller, type Caller } from './callers.ts';

type Call = HandlerExtra<Caller>;

export const notes = createSdkMcpServer({
  name: 'notes',
  instructions: 'Notes of the current user. Nobody sees those of another user.',
  tools: [
    tool.readOnly('list_notes', 'The notes of the current user', {}, (_input, { context }: Call) =>
      context.notebook.list(context.user),
    ),

    tool(
      'add_note',
      'Keeps a note for the current user and returns how many there are',
      {
        type: 'object',
        properties: { text: { type: 'string', minLength: 1, maxLength: 500, description: 'The note' } },
        required: ['text'],
      },
      async ({ text }, { context: { notebook, user } }: Call) => {
        await notebook.add({ owner: user, text });
        return { notes: (await notebook.list(user)).length };
      },
    ),
  ],
});

/** Called by `inboard serve` and `inboard call` to find out who calls. In a query, the option `toolContext` says it. */
export function toolContext(client: ToolClient): Caller | undefined {
  return findCaller(client);
}
