// Small tools for the page: templates, lists that keep their elements, what forms and buttons ask for, notes to the person.
export const find = (selector) => document.querySelector(selector);

/** Puts values where `data-value` names them, as text and never as markup. What has no value is hidden. */
export function fill(root, values) {
  for (const [name, value] of Object.entries(values)) {
    const text = String(value ?? '');
    for (const place of root.querySelectorAll(`[data-value=${name}]`)) {
      place.hidden = text === '';
      if (place.textContent !== text) place.textContent = text;
      place.dataset.is = text.slice(0, 20);
    }
    for (const link of root.querySelectorAll(`[data-href=${name}]`)) link.setAttribute('href', `#${text}`);
  }
}

/** Makes a list show these items in order, each by the list's template. One that stays keeps its element, and with it focus
 * and what was typed; `begin` gets a new one. */
export function showList(list, items, { key = ({ id }) => id, values = (item) => item, begin }) {
  const names = new Set(items.map((item) => String(key(item))));
  // What leaves goes first: an element that is moved loses the focus.
  for (const child of Array.from(list.children)) if (!names.has(child.dataset.key)) takeAway(child, list);
  const kept = new Map([...list.children].map((child) => [child.dataset.key, child]));
  let place = list.firstElementChild;
  for (const item of items) {
    const name = String(key(item));
    const child = kept.get(name) ?? find(list.dataset.template).content.firstElementChild.cloneNode(true);
    child.item = item;
    child.dataset.key = name;
    fill(child, values(item));
    if (!kept.has(name)) begin?.(child, item);
    if (child === place) place = place.nextElementSibling;
    else list.insertBefore(child, place);
  }
}

/** Whoever was at it with the keyboard goes on beside it: on the item, where no key decides anything by mistake. */
function takeAway(child, list) {
  child.dispatchEvent(new Event('leave'));
  const hadFocus = child.contains(document.activeElement);
  const near = child.nextElementSibling ?? child.previousElementSibling;
  child.remove();
  if (hadFocus) (near ?? list.parentElement.querySelector('h2'))?.focus();
}

/** Has a form with `data-ask="METHOD path"` ask that of the server, with what `{name}` is for its item or the page; what it
 * names in `data-then` gets the answer. A button with `data-do` does what it names. */
export function listen(page, actions) {
  document.addEventListener('click', ({ target }) => {
    const button = target.closest('button[data-do]');
    actions[button?.dataset.do]?.(button.closest('[data-key]') ?? button);
  });
  document.addEventListener('submit', (event) => {
    if (!event.target.dataset.ask) return;
    event.preventDefault();
    void send(event);
  });
  async function send({ target: form, submitter }) {
    const card = form.closest('[data-key]');
    const [method, path] = form.dataset.ask.split(' ');
    const full = path.replace(/\{(\w+)\}/g, (_, name) => ({ ...page, ...card?.item })[name]);
    card?.toggleAttribute('data-asked', true);
    const answer = await ask(method, full, Object.fromEntries(new FormData(form, submitter)));
    card?.toggleAttribute('data-asked', Boolean(answer));
    if (answer) actions[form.dataset.then]?.(form, answer);
  }
}

/** Asks the server; what it refuses is told to the person. The answer when it was done. */
export async function ask(method, path, body) {
  try {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
    const answer = await response.json();
    if (response.ok) return answer;
    tell(answer.error ?? 'That did not work.');
  } catch {
    tell('The server cannot be reached.');
  }
  return undefined;
}

export function tell(text) {
  const note = Object.assign(document.createElement('p'), { textContent: text });
  find('#toasts').append(note);
  setTimeout(() => note.remove(), 7000);
}
