// A frame on one short line, for people: long texts and lists are cut, and what is cut is marked with an ellipsis.

const LONGEST_LINE = 320;
/** Less and less is kept until the line is short enough. */
const STEPS = [
  { text: 72, list: 2, depth: 7, fields: 40 },
  { text: 48, list: 1, depth: 6, fields: 12 },
  { text: 40, list: 1, depth: 5, fields: 9 },
  { text: 32, list: 1, depth: 4, fields: 7 },
  { text: 28, list: 1, depth: 3, fields: 6 },
];
/** What is the same in every message, and last in the reader's mind. */
const LAST = new Set(['uuid', 'session_id', 'parent_tool_use_id']);

/** One line; `keep` names fields whose values are shown in full. */
export function showFrame(frame, keep = new Set()) {
  let line = '';
  for (const step of STEPS) {
    line = show(frame, { ...step, keep });
    if (line.length <= LONGEST_LINE) break;
  }
  return line;
}

function show(value, step, level = 0, name = '') {
  if (typeof value === 'string')
    return JSON.stringify(
      step.keep.has(name) || value.length <= step.text ? value : `${value.slice(0, step.text - 1)}…`,
    );
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    if (level >= step.depth) return '[…]';
    const shown = value.slice(0, step.list).map((each) => show(each, step, level + 1, name));
    return `[${[...shown, ...(value.length > step.list ? ['…'] : [])].join(',')}]`;
  }
  const entries = Object.entries(value).toSorted(([one], [other]) => LAST.has(one) - LAST.has(other));
  if (entries.length === 0) return '{}';
  if (level >= step.depth) return '{…}';
  const shown = entries
    .slice(0, step.fields)
    .map(([key, each]) => `${JSON.stringify(key)}:${show(each, step, level + 1, key)}`);
  return `{${[...shown, ...(entries.length > step.fields ? ['…'] : [])].join(',')}}`;
}
