// One conversation, from its events: what was said, the calls, and who had to take over. The browser follows them from where it
// was, also when the server was away.
import { element, showList } from './dom.js';

const find = (selector) => document.querySelector(selector);
const CALLS = {
  look_up_order: 'Looks up order',
  search_warehouse: 'Searches the warehouse for',
  refund: 'Wants to pay back',
};
let source;
let lines = [];
let writing = '';
// Of the turn: its newest attempt, and whether its worker has left it to wait for an answer. That is no accident.
let attempt = 0;
let isLeft = false;

export function followConversation(key) {
  source?.close();
  lines = [];
  writing = '';
  draw();
  if (!key) return;
  source = new EventSource(`api/conversations/${encodeURIComponent(key)}/events`);
  source.addEventListener('message', ({ data }) => {
    take(JSON.parse(data));
    draw();
  });
}

/** What the desk knows of the conversation beside its events. */
export function drawConversation(conversation, isAsked) {
  const isAtWork = ['queued', 'running', 'parked'].includes(conversation?.state);
  find('#stop').hidden = !isAtWork;
  const words = {
    queued: 'Waits for a worker …',
    running: conversation?.owner
      ? `${conversation.owner} ${isAsked ? 'waits for an answer' : 'is at work'} …`
      : 'Its worker died; another takes over …',
    parked: 'Waits for an answer. No worker is held up by that.',
  };
  find('#status').textContent = words[conversation?.state] ?? '';
  find('#status').hidden = !isAtWork;
}

function take(event) {
  const add = (kind, text) => text && lines.push({ id: `${event.id} ${lines.length}`, kind, text });
  if (event.type === 'text') writing += event.text;
  if (event.type === 'question') add('call', 'Waits for a person to agree.');
  if (event.type === 'answer')
    add('call', `${event.by ?? 'Somebody'} ${event.behavior === 'allow' ? 'agreed' : 'refused'}.`);
  if (event.type === 'turn') {
    writing = '';
    if (event.state === 'queued') add('customer', textOf(event.content));
    const isNewer = event.attempt > Math.max(attempt, 1);
    const cutOff = `The turn was cut off. Another worker goes on with it: attempt ${event.attempt}.`;
    if (event.state === 'running' && isNewer)
      add('note', isLeft ? 'A worker goes on with the answer.' : cutOff);
    if (event.state !== 'running' || isNewer) isLeft = event.state === 'parked';
    attempt = event.attempt;
    if (event.outcome && !event.outcome.ok) add('note', event.outcome.text || event.outcome.kind);
  }
  if (event.type === 'message') takeMessage(event.message, add);
}

function takeMessage({ type: kind, message }, add) {
  if (kind !== 'assistant') return;
  writing = '';
  for (const { type, text, name, input } of message.content) {
    if (type === 'text') add('agent', text);
    if (type !== 'tool_use') continue;
    const tool = name.replace(/^.*__/, '');
    add('call', `${CALLS[tool] ?? tool} ${Object.values(input).join(' ')}`);
  }
}

function textOf(content) {
  return typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join(' ');
}

function draw() {
  const log = find('.log');
  const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 80;
  const all = writing ? [...lines, { id: 'writing', kind: 'agent', text: writing }] : lines;
  showList(find('#messages'), all, {
    key: ({ id }) => id,
    create: ({ kind }) => element('li', { className: kind }),
    update: (row, { text }) => {
      if (row.textContent !== text) row.textContent = text;
    },
  });
  if (isAtEnd) log.scrollTop = log.scrollHeight;
}
