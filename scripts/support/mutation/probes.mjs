// Which tests run a statement: a copy of the source in which each statement of a function says that it was reached. A probe is
// called after the place of its statement in the file.
import { parse, walk } from './syntax.mjs';

/** What `probe-setup.mjs` defines. */
const REACHED = 'globalThis.mutationReached?.';

/** The source with its probes; the file as a whole is the probe `file`. */
export function addProbes(file, source) {
  const inserts = [];
  walk(parse(file, source), (node, parents) => {
    const form = probeForm(node, parents.at(-1));
    if (!form) return;
    const call = `${REACHED}(${JSON.stringify(`${file}:${node.start}`)})`;
    inserts.push({ at: node.start, isOpening: true, rank: node.end, text: form.open(call) });
    if (form.close) inserts.push({ at: node.end, isOpening: false, rank: node.start, text: form.close });
  });
  // From the end, so that the places before it stay true. What is inserted later at the same place stands before what was
  // inserted there: so an inner opening comes before an outer one, and an outer closing before an inner one.
  inserts.sort((a, b) => b.at - a.at || Number(b.isOpening) - Number(a.isOpening) || a.rank - b.rank);
  let text = source;
  for (const { at, text: added } of inserts) text = text.slice(0, at) + added + text.slice(at);
  return `${text}\n${REACHED}(${JSON.stringify(`${file}:file`)});\n`;
}

/** The probe that is reached when a node is, given the nodes from the outermost to itself; `file` if that is on loading. */
export function findProbe(nodes) {
  const node = nodes.at(-1);
  // A block is reached with its first statement.
  if (node.type === 'BlockStatement' && node.body.length > 0) return node.body[0].start;
  for (let index = nodes.length - 1; index > 0; index--)
    if (probeForm(nodes[index], nodes[index - 1])) return nodes[index].start;
  return 'file';
}

function probeForm(node, parent) {
  if (!parent || node.type === 'BlockStatement') return undefined;
  if (parent.type === 'ArrowFunctionExpression' && parent.body === node)
    return { open: (call) => `(${call},`, close: ')' };
  if (!/Statement$|^VariableDeclaration$/.test(node.type)) return undefined;
  if (parent.type === 'BlockStatement' || (parent.type === 'SwitchCase' && parent.test !== node))
    return { open: (call) => `${call};` };
  // A statement without braces gets them.
  const isBranch = parent.consequent === node || parent.alternate === node || parent.body === node;
  return isBranch ? { open: (call) => `{${call};`, close: '}' } : undefined;
}
