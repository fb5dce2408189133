// Small tools for the page: elements, lists that keep their elements, requests, and notes to the person.

/** Makes an element; strings become text nodes, never markup. */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** Makes a list show these items in order. An item that stays keeps its element, and with it focus and what was typed. */
export function showList(list, items, { key, create, update }) {
  const names = new Set(items.map((item) => String(key(item))));
  // What leaves goes first: an element that is moved loses the focus.
  for (const child of Array.from(list.children)) if (!names.has(child.dataset.key)) takeAway(child, list);
  const kept = new Map([...list.children].map((child) => [child.dataset.key, child]));
  let place = list.firstElementChild;
  for (const item of items) {
    const name = String(key(item));
    let child = kept.get(name);
    if (!child) {
      child = create(item);
      child.dataset.key = name;
    }
    update?.(child, item);
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

/** Asks the server to do something; what it refuses is told to the person. True when it was done. */
export async function ask(method, path, body = {}) {
  try {
    const response = await fetch(path, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (response.ok) return answer;
    tell(answer.error ?? 'That did not work.');
  } catch {
    tell('The server cannot be reached.');
  }
  return undefined;
}

/** Shows a note for a while. */
export function tell(text) {
  const note = element('p', {}, text);
  document.querySelector('#toasts').append(note);
  setTimeout(() => note.remove(), 7000);
}
