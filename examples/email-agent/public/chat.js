// One conversation with the agent. The server has it, as messages and a stream of chunks in the form of the AI SDK's UI.
import { $, ask, notify, reach, show } from './dom.js';

let [messages, isBusy] = [[], false];
let stream, loading; // of the answer that is under way, and of what was said before

/** In the address, so that a reload finds it. */
function chatId() {
  if (location.hash.length < 2) history.replaceState(null, '', `#${crypto.randomUUID()}`);
  return location.hash.slice(1);
}

export function startChat() {
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
  $('stop').onclick = () => ask(`/api/chat/${chatId()}/stop`, {}).catch(notify);
  $('new-chat').onclick = () => ($('words').focus(), (location.hash = crypto.randomUUID()));
  window.onhashchange = () => (end(), catchUp().catch(notify));
  $('to-draft').onclick = () => {
    show('desk');
    $('drafts').querySelector('section:last-child textarea')?.focus();
  };
  for (const idea of $('ideas').children) idea.onclick = () => ($('words').focus(), say(idea.textContent));
}

/** Shows what was said, and follows the answer that is under way; one that is followed already goes on by itself. */
export async function catchUp() {
  if (isBusy) return;
  await (loading = readPast());
  if (!isBusy && !stream) follow();
}

async function readPast() {
  const id = chatId();
  const past = await ask(`/api/chat/${id}/messages`);
  if (id === chatId()) messages = past.messages;
  render();
}

export async function say(text) {
  await loading;
  if (isBusy) return notify(new Error('The agent is still at work.'));
  const message = { id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text }] };
  end();
  messages.push(message);
  isBusy = true;
  $('words').value = '';
  render();
  try {
    const response = await reach('/api/chat', { id: chatId(), messages: [message] });
    await response.body.cancel(); // the answer comes from where a page that was reloaded gets it, too
    follow();
  } catch (error) {
    notify(error);
    end();
  }
}

/** Follows the answer that is under way from its start, also while it waits for a person, and again after a lost connection. */
function follow() {
  stream = new EventSource(`/api/chat/${chatId()}/stream?follow=true`);
  const answer = { parts: [] };
  stream.onmessage = ({ data }) => {
    if (data === '[DONE]') return end();
    const chunk = JSON.parse(data);
    isBusy = true;
    if (chunk.type === 'start') answer.parts = [];
    if (!messages.includes(answer)) messages.push(answer);
    take(answer.parts, chunk);
    render();
  };
  // There is none under way: what was said is all there is.
  stream.onerror = ({ target }) => {
    if (target !== stream || target.readyState !== EventSource.CLOSED) return;
    end();
    loading = readPast().catch(notify);
  };
}

function end() {
  stream?.close();
  [stream, isBusy] = [undefined, false];
  render();
}

function take(parts, chunk) {
  const { type, id, toolCallId, toolName, input, errorText } = chunk;
  const text = parts.findLast((part) => part.id === id);
  const call = parts.find((part) => part.toolCallId === toolCallId);
  if (type === 'text-start') parts.push({ type: 'text', id, text: '' });
  if (type === 'text-delta' && text) text.text += chunk.delta;
  if (type === 'tool-input-available' && !call)
    parts.push({ type: 'dynamic-tool', toolCallId, toolName, input });
  if (type === 'tool-approval-request' && call) call.state = 'approval-requested';
  if (/^tool-output|^tool-approval-response/.test(type) && call)
    Object.assign(call, { state: type, errorText });
  if (type === 'error' || type === 'abort') parts.push({ type: 'error', text: errorText ?? 'Stopped.' });
}

/** What a call does, in the words that the page has for its tool. */
function describe(toolName, input) {
  const words = $('doing').content.querySelector(`[data-tool="${CSS.escape(toolName.split('__').at(-1))}"]`);
  return words?.textContent.replace(/\{(\w+)\}/g, (_, name) => input[name] ?? '') ?? toolName;
}

function describePart({ type, toolName, input, state, errorText, ...part }, role) {
  const kinds = { text: role === 'user' ? 'you' : 'agent', error: 'error' };
  if (kinds[type]) return [{ kind: kinds[type], text: part.text }];
  if (type !== 'dynamic-tool') return [];
  const words = describe(toolName, input);
  if (errorText) return [{ kind: 'tool', text: `${words}: ${errorText}`, state: 'failed' }];
  const isWaiting = isBusy && state === 'approval-requested';
  const text = words + (isWaiting ? ', and waits for you' : '');
  return [{ kind: 'tool', text, state: isWaiting ? 'waiting' : '' }];
}

function render() {
  const { scrollTop, clientHeight, scrollHeight } = $('scroller');
  const isAtEnd = scrollHeight - scrollTop - clientHeight < 60;
  const rows = messages.flatMap(({ role, parts }) => parts.flatMap((part) => describePart(part, role)));
  $('welcome').hidden = messages.length > 0;
  // Rows stay, and only what changed is set: a screen reader says what is new, not everything again.
  for (const [index, { kind, text, state = '' }] of rows.entries()) {
    const row = $('talk').children[index] ?? $('talk').appendChild(document.createElement('div'));
    row.className = kind;
    row.dataset.state = state;
    if (row.textContent !== text) row.textContent = text;
  }
  while ($('talk').children.length > rows.length) $('talk').lastChild.remove();
  const isWaiting = rows.some(({ state }) => state === 'waiting');
  $('working').hidden = !isBusy || isWaiting;
  $('to-draft').hidden = !isWaiting;
  $('ask').hidden = isBusy;
  $('stop').hidden = !isBusy;
  if (isAtEnd || rows.at(-1)?.kind === 'you') $('scroller').scrollTop = $('scroller').scrollHeight;
}
