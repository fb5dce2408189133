// Tells the person at the editor what no answer to a request can say: with a notice where the editor shows notices, otherwise
// with a line in the conversation.
import type { EditorLink } from './editor-link.js';

/** Tells the person, and writes the same into the agent's log. */
export async function tellPerson(link: EditorLink, title: string, description: string): Promise<void> {
  link.note(`${title}: ${description}`);
  if (link.capabilities.session?.notices) {
    await link.update([{ sessionUpdate: 'notice', severity: 'warning', title, description }]);
    return;
  }
  const text = `${title}: ${description}\n\n`;
  await link.update([{ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }]);
}
