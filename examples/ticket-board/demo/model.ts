// The model of a start without a key: a script that proposes a ticket for each thing somebody writes.
import { reply, startOffline, text, toolUse, type ModelContext, type Reply } from 'inboard/testing';

type Input = Readonly<Record<string, unknown>>;
type Result = ModelContext['toolResults'][number];
const SCRIPT = 'I am a script, not a model; the board and the review are real.';
const BETWEEN_WISHES = /[;,.!?\n]+|\band\b/;
const stage = (input: Input): Reply => toolUse('mcp__board__create_ticket', input);
/** Word by word, as a model writes. */
const write = (...sentences: string[]): Reply => text(sentences.join(' ').split(/(?<=\s)/));

export const startScript = (folder: string) => startOffline({ onExhausted: answer }, { folder });

/** Never makes a call again: what a server that was killed left open, the next one completes. */
function answer({ prompt, toolResults }: ModelContext): Reply {
  const told = toolResults.map(tell);
  if (told.length > 0) return write(...told, 'What else?');
  const wishes = prompt.split(BETWEEN_WISHES).map((wish) => wish.trim());
  const tickets = wishes.filter((wish) => wish.split(' ').length > 2).map(propose);
  if (tickets.length === 0) return write(SCRIPT, 'Tell me what is broken or missing, and I propose tickets.');
  return reply(write(SCRIPT, 'I propose the following; please review.'), ...tickets);
}

function tell({ isError, text: result }: Result): string {
  if (isError) return `One could not be created: ${result}`;
  const { created, id, title, reviewerSays } = JSON.parse(result) as Record<string, string>;
  const words = reviewerSays ? ` You say: ${reviewerSays}` : '';
  return `${created ? `Ticket ${id} is on the board: ${title}.` : 'One was rejected.'}${words}`;
}

function propose(wish: string): Reply {
  const isBug = /fail|crash|broken|wrong|slow/i.test(wish);
  const kind = isBug ? 'bug' : /add|want|need/i.test(wish) ? 'feature' : 'task';
  const description = `Reported in the chat: "${wish}". Whoever takes it asks there for details.`;
  return stage({ title: wish.charAt(0).toUpperCase() + wish.slice(1, 100), description, kind });
}
