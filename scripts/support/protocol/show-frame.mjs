// A frame on one short line, for people: what tells it apart comes first, long texts and lists are cut, and what is cut is
// marked with an ellipsis.

const LONGEST_LINE = 330;
/** Less and less is kept until the line is short enough. */
const STEPS = [
  { text: 72, list: 2, depth: 7, fields: 40 },
  { text: 60, list: 1, depth: 7, fields: 10 },
  { text: 48, list: 1, depth: 7, fields: 7 },
  { text: 48, list: 1, depth: 7, fields: 5 },
  { text: 40, list: 1, depth: 7, fields: 4 },
  { text: 40, list: 1, depth: 5, fields: 6 },
  { text: 32, list: 1, depth: 4, fields: 7 },
  { text: 28, list: 1, depth: 3, fields: 6 },
];
const FIRST = ['type', 'subtype', 'request_id', 'role', 'content', 'result'];
/** What is the same in every frame, or a page of its own. */
const LAST = ['usage', 'modelUsage', 'parent_tool_use_id', 'session_id', 'uuid'];
const FOLDED = new Set(['usage', 'modelUsage']);
const STAND_IN = /^0{8}-0000-4000-8000-0*(\d+)$/;

/** One line. */
export function showFrame(frame) {
  let line = '';
  for (const step of STEPS) {
    line = show(frame, step);
    if (line.length <= LONGEST_LINE) break;
  }
  return line;
}

function show(value, step, level = 0) {
  if (typeof value === 'string') {
    const text = value.replace(STAND_IN, 'uuid-$1');
    return JSON.stringify(text.length <= step.text ? text : `${text.slice(0, step.text - 1)}…`);
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    if (level >= step.depth) return '[…]';
    const shown = value.slice(0, step.list).map((each) => show(each, step, level + 1));
    return `[${[...shown, ...(value.length > step.list ? ['…'] : [])].join(',')}]`;
  }
  const entries = Object.entries(value).toSorted((one, other) => rank(one) - rank(other));
  if (entries.length === 0) return '{}';
  if (level >= step.depth) return '{…}';
  const shown = entries
    .slice(0, step.fields)
    .map(([key, each]) => `${JSON.stringify(key)}:${FOLDED.has(key) ? '{…}' : show(each, step, level + 1)}`);
  return `{${[...shown, ...(entries.length > step.fields ? ['…'] : [])].join(',')}}`;
}

function rank([key, value]) {
  if (FIRST.includes(key)) return FIRST.indexOf(key) - FIRST.length;
  return LAST.indexOf(key) + 1 + (value === null ? LAST.length : 0);
}
