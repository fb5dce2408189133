// Elements, requests and times. What people and models write is only ever set as text.
export const $ = (id) => document.getElementById(id);

export function el(tag, properties = {}, ...children) {
  const { data = {}, attributes = {}, ...rest } = properties;
  const element = Object.assign(document.createElement(tag), rest);
  Object.assign(element.dataset, data);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** What the server answers; throws with its words when it refuses. */
export async function ask(path, body) {
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await reach(path, sent);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

/** Like `fetch`, with words for people when there is no server. */
export function reach(path, options) {
  return fetch(path, options).catch(() => {
    throw new Error('The server cannot be reached.');
  });
}

/** Fills a place anew. What had the focus there has it still, if it is there still. */
export function refill(place, children) {
  const key = place.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  place.replaceChildren(...children);
  const again = [...place.querySelectorAll('[data-key]')].find(({ dataset }) => dataset.key === key);
  again?.focus({ preventScroll: true });
}

let hiding;
export function notify(error) {
  $('notice').textContent = error.message;
  $('notice').hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => ($('notice').hidden = true), 6000);
}

export function shortTime(date) {
  const then = new Date(date);
  const isToday = then.toDateString() === new Date().toDateString();
  const style = isToday ? { hour: '2-digit', minute: '2-digit' } : { day: 'numeric', month: 'short' };
  return then.toLocaleString(undefined, style);
}

export function shortName(address) {
  return address.replace(/\s*<[^>]*>$/, '') || address;
}

export function show(view) {
  document.body.dataset.view = view;
  for (const button of document.querySelectorAll('[data-show]'))
    button.setAttribute('aria-pressed', String(button.dataset.show === view));
}
