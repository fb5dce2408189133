// The conversation of this tab. The server sends the AI SDK's UI message stream: chunks with a type, as server-sent events.
import { $, el, notify, reach, show } from './dom.js';

const KEY = 'conversation';
const IDEAS = ['What is unread?', 'Summarize the newest mail', 'Answer the newest mail'];
const TOOLS = {
  search: (terms) =>
    Object.keys(terms).length > 0 ? `searches mail: ${describe(terms)}` : 'looks at the newest mail',
  read: ({ uid }) => `reads mail ${uid}`,
  read_attachment: ({ uid, index }) => `opens attachment ${index + 1} of mail ${uid}`,
  move: ({ uid, to }) => `moves mail ${uid} to ${to}`,
  draft_reply: ({ uid }) => `drafts a reply to mail ${uid}`,
  draft_mail: ({ to }) => `drafts a mail to ${to}`,
};
let talk = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') ?? { session: undefined, items: [] };
let isBusy = false;

function describe(terms) {
  return Object.entries(terms)
    .map(([name, value]) => (value === true ? name : `${name} “${value}”`))
    .join(', ');
}

export function startChat() {
  // A page that was reloaded while the agent was at work does not hear the rest.
  for (const item of talk.items) if (item.state === 'waiting') item.state = 'unknown';
  render();
  $('say').onsubmit = (event) => {
    event.preventDefault();
    const words = $('words').value.trim();
    if (words) void say(words);
  };
  $('words').onkeydown = (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    $('say').requestSubmit();
  };
  $('new-chat').onclick = () => {
    if (isBusy) return;
    talk = { session: undefined, items: [] };
    render();
    $('words').focus();
  };
  $('to-draft').onclick = () => {
    show('desk');
    const text = $('drafts').querySelector('form:last-child textarea');
    text?.focus();
  };
  $('ideas').append(
    ...IDEAS.map((idea) =>
      el('button', { type: 'button', textContent: idea, onclick: () => ($('words').focus(), say(idea)) }),
    ),
  );
}

export async function say(text) {
  if (isBusy) return notify(new Error('The agent is still at work.'));
  isBusy = true;
  $('words').value = '';
  add({ kind: 'you', text });
  try {
    const body = JSON.stringify({ text, session: talk.session });
    const response = await reach('/api/chat', { method: 'POST', body });
    if (!response.ok) throw new Error((await response.json()).error);
    for await (const chunk of readChunks(response.body)) take(chunk);
  } catch (error) {
    add({ kind: 'error', text: error.message });
  } finally {
    isBusy = false;
    render();
  }
}

function take(chunk) {
  talk.session = chunk.messageMetadata?.sessionId ?? talk.session;
  const byId = talk.items.find(({ id }) => id !== undefined && id === (chunk.id ?? chunk.toolCallId));
  if (chunk.type === 'text-start') add({ kind: 'agent', id: chunk.id, text: '' });
  if (chunk.type === 'text-delta' && byId) change(byId, { text: byId.text + chunk.delta });
  if (chunk.type === 'text-end' && byId) delete byId.id;
  if (chunk.type === 'tool-input-available') {
    const name = chunk.toolName.replace('mcp__mail__', '');
    const isDraft = name.startsWith('draft');
    const words = TOOLS[name]?.(chunk.input) ?? name;
    const text = isDraft ? `${words}, and waits for you` : words;
    add({ kind: 'tool', id: chunk.toolCallId, text, state: isDraft ? 'waiting' : 'at work', words });
  }
  if (chunk.type === 'tool-output-available' && byId) change(byId, { state: 'done', text: byId.words });
  if (chunk.type === 'tool-output-error' && byId)
    change(byId, { state: 'failed', text: `${byId.words}: ${chunk.errorText}` });
  if (chunk.type === 'error') add({ kind: 'error', text: chunk.errorText });
}

async function* readChunks(body) {
  let rest = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + text).split('\n\n');
    rest = events.pop();
    for (const event of events) if (event !== 'data: [DONE]') yield JSON.parse(event.slice('data: '.length));
  }
}

function add(item) {
  talk.items.push(item);
  render();
}

function change(item, properties) {
  Object.assign(item, properties);
  render();
}

function render() {
  sessionStorage.setItem(KEY, JSON.stringify(talk));
  const { scrollTop, clientHeight, scrollHeight } = $('scroller');
  const isAtEnd = scrollHeight - scrollTop - clientHeight < 60;
  $('welcome').hidden = talk.items.length > 0;
  // Rows stay, and only what changed is set: a screen reader says what is new, not everything again.
  for (const [index, { kind, text, state = '' }] of talk.items.entries()) {
    const row = $('talk').children[index] ?? $('talk').appendChild(el('div'));
    row.className = kind;
    row.dataset.state = state;
    if (row.textContent !== text) row.textContent = text;
  }
  while ($('talk').children.length > talk.items.length) $('talk').lastChild.remove();
  const isWaiting = isBusy && talk.items.some(({ state }) => state === 'waiting');
  $('working').hidden = !isBusy || isWaiting;
  $('to-draft').hidden = !isWaiting;
  $('say').querySelector('button').disabled = isBusy;
  if (isAtEnd || talk.items.at(-1)?.kind === 'you') $('scroller').scrollTop = $('scroller').scrollHeight;
}
