// Elements, requests and times. What people and models write is only ever set as text.
export const $ = (id) => document.getElementById(id);

/** A copy of a template of the page, with these texts where it names them. */
export function copy(template, texts = {}) {
  const element = $(template).content.firstElementChild.cloneNode(true);
  for (const place of element.querySelectorAll('[data-text]'))
    place.textContent = texts[place.dataset.text] ?? '';
  return element;
}

/** What the server answers; throws with its words when it refuses, and with ours when there is none. */
export async function reach(path, body) {
  const headers = { 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(path, sent).catch((cause) => {
    throw new Error('The server cannot be reached.', { cause });
  });
  if (response.ok) return response;
  const { error, message } = await response.json();
  throw new Error(error ?? message);
}

export const ask = async (path, body) => (await reach(path, body)).json();

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

export function show(view) {
  document.body.dataset.view = view;
  for (const button of document.querySelectorAll('[data-show]'))
    button.setAttribute('aria-pressed', String(button.dataset.show === view));
}
