// Takes out of a recording what is new each time or belongs to one machine: folders, process ids, times, random ids. What
// belongs together stays together: the same id becomes the same stand-in, numbered by its first appearance. Lists and texts
// of the CLI's own (its commands, its prompts) are shortened: a recording is to show frames, not what they carry.

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
/** Fields whose values are random, by what the stand-in is called. */
const RANDOM_FIELDS = {
  request_id: 'request',
  task_id: 'task',
  run_id: 'run',
  hook_id: 'hook',
  prompt_id: 'prompt',
};
const TIMES = /(?:_ms|Ms|Duration\w*)$/;
const MOST_ENTRIES = 3;
const MOST_CHARACTERS = 160;
const MOST_OF_A_DESCRIPTION = 48;
const WHEN = '2026-01-01T00:00:00.000Z';

/** The events of a recording, normalised. `places` are pairs of a folder and what stands for it, longest first. */
export function normalizeRecording(text, places) {
  for (const [from, to] of places) {
    text = text.replaceAll(from, to);
    // As the CLI spells a folder in the name of another.
    text = text.replaceAll(from.replaceAll(/[^A-Za-z0-9]/g, '-'), to.replaceAll(/[^A-Za-z0-9]/g, '-'));
  }
  text = text
    .replaceAll(JSON.stringify(process.execPath), '"node"')
    .replaceAll(/\\"pid\\":\d+/g, '\\"pid\\":1000')
    .replaceAll(/\d{4}-\d\d-\d\d-\d{6}/g, '2026-01-01-000000')
    .replaceAll(/cc-socks\/\d+/g, 'cc-socks/1000')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, WHEN);
  const uuids = numbering((count) => `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`);
  text = text.replaceAll(UUID, uuids);

  const events = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const ids = new Map();
  for (const event of events) collectIds(event, ids);
  text = events.map((event, index) => JSON.stringify(plain(event, index))).join('\n');
  for (const [from, to] of ids) text = text.replaceAll(JSON.stringify(from).slice(1, -1), to);
  return `${text}\n`;
}

function numbering(name) {
  const known = new Map();
  return (value) => {
    if (!known.has(value)) known.set(value, name(known.size + 1));
    return known.get(value);
  };
}

function collectIds(value, ids) {
  if (Array.isArray(value)) for (const each of value) collectIds(each, ids);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) {
      const name = RANDOM_FIELDS[key];
      // Those that are uuids have their stand-in already; the scripted model's and our own are no random ids.
      if (name && typeof each === 'string' && !/^(?:0{8}-|toolu_|req_|nobody$|[a-z]+_\d+$)/.test(each)) {
        if (!ids.has(each)) ids.set(each, `${name}-${ids.size + 1}`);
      } else collectIds(each, ids);
    }
  }
}

function plain(event, index) {
  const body = normalize(event);
  if (event.type === 'header')
    return { ...body, startedAt: WHEN, pid: 1000, hostPid: 999, runtime: 'node 20', platform: 'linux' };
  return { ...body, t: index };
}

function normalize(value, name = '') {
  // The content of messages and lists of frames are what is shown; other lists are long.
  if (Array.isArray(value))
    return (name === 'content' ? value : value.slice(0, MOST_ENTRIES)).map((each) => normalize(each, name));
  if (typeof value === 'string')
    return shorten(value, /description|argumentHint/i.test(name) ? MOST_OF_A_DESCRIPTION : MOST_CHARACTERS);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      if (typeof each === 'number' && (TIMES.test(key) || key === 'pid'))
        return [key, key === 'pid' ? 1000 : 1];
      if (typeof each === 'number' && each > 1_600_000_000_000) return [key, Date.parse(WHEN)];
      if (typeof each === 'number' && key.endsWith('_seconds')) return [key, 1];
      return [key, normalize(each, key)];
    }),
  );
}

function shorten(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
