// Asks for a briefing, and shows it as it is written. All text is set as text, never as markup.
const find = (id) => document.getElementById(id);
function make(tag, className, ...children) {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}

const addStep = (className, title, ...more) =>
  find('steps').appendChild(make('li', className, make('b', '', title), ...more));
const searches = new Map(); // by what they look for
const show = {
  search: ({ query }) => searches.set(query, addStep('search', `Searches “${query}”`)),
  found: ({ query, found }) => {
    const list = found.map(({ id, title }) => make('li', '', make('code', '', id), ` ${title}`));
    searches.get(query).append(make('ul', '', ...list));
  },
  refused: ({ why }) => addStep('refused', 'The answer was refused', make('pre', '', why)),
  failed: ({ why }) => addStep('refused', 'There is no briefing', make('pre', '', why)),
  briefing: ({ summary, flags, actions, footer }) => {
    addStep('accepted', 'The answer was accepted');
    find('summary').textContent = summary;
    find('flags').replaceChildren(...flags.map(entry));
    find('actions').replaceChildren(...actions.map(entry));
    find('footer').textContent = footer;
    find('briefing').hidden = false;
  },
};

/** A flag or an action; each of its citations opens the guideline with the quote marked. */
function entry({ text, severity, citations }) {
  const mark = severity ? make('i', severity, severity) : '';
  const sources = citations.map(({ source, title, quote, text: whole }) => {
    const [start, end] = whole.split(quote);
    const passage = make('p', '', start, make('mark', '', quote), end);
    return make('details', '', make('summary', '', make('code', '', source), ` ${title}`), passage);
  });
  return make('li', '', make('p', 'what', mark, ` ${text}`), ...sources);
}

async function brief({ id, name, reason, labs, medications }) {
  find('patients').inert = true;
  find('briefing').hidden = true;
  find('steps').replaceChildren();
  find('name').textContent = name;
  find('reason').textContent = reason;
  const values = labs.map((lab) => `${lab.name} ${lab.value} ${lab.unit}, ${lab.date}`);
  const record = [...medications.map((each) => `${each.name} ${each.dose}`), ...values];
  find('record').replaceChildren(...record.map((line) => make('li', '', line)));
  try {
    const { body } = await fetch(`/briefings/${encodeURIComponent(id)}`, { method: 'POST' });
    let rest = '';
    for await (const part of body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + part).split('\n');
      rest = lines.pop();
      for (const event of lines.map((line) => JSON.parse(line))) show[event.type](event);
    }
  } catch (error) {
    show.failed({ why: `The server cannot be reached, or has stopped. ${error.message}` });
  }
  find('patients').inert = false;
}

for (const patient of await (await fetch('/patients')).json()) {
  const button = make('button', '', patient.name);
  button.addEventListener('click', () => brief(patient));
  find('patients').append(button);
}
document.documentElement.dataset.ready = 'true';
