// What the sources declare, with its comments: interfaces and classes with their members, functions, constants. Types leave
// nothing behind at run time, so the text is read.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'rolldown/utils';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The declarations that a source file exports, by name: `doc`, `kind`, and of those that have some, `members`. */
export function readDeclarations(path) {
  const known = read.get(path) ?? parseDeclarations(path);
  read.set(path, known);
  return known;
}

/** Files that were read: entry points lead to the same ones. */
const read = new Map();

function parseDeclarations(path) {
  const source = readFileSync(join(root, path), 'utf8');
  const { program, comments, errors } = parseSync(path, source);
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0].message}`);
  const text = { source, comments };
  const found = new Map();
  for (const statement of program.body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : undefined;
    const { id } = declared?.declarations?.[0] ?? declared ?? {};
    // The first of overloads has the comment.
    if (id && !found.has(id.name))
      found.set(id.name, describe(declared, commentAbove(text, statement.start), text));
  }
  return found;
}

function describe(declared, { doc }, text) {
  const kind = declared.type.replace(/^TS|Declaration$/g, '').toLowerCase();
  const body = declared.body?.body;
  const members = Array.isArray(body) ? readMembers(body, text) : undefined;
  const parents = (declared.extends ?? []).map(({ start, end }) => text.source.slice(start, end));
  return { kind, doc, members, parents };
}

function readMembers(body, text) {
  let group = '';
  const members = new Map();
  for (const member of body) {
    const above = commentAbove(text, member.start);
    group = above.group ?? group;
    const name = member.key?.name;
    if (name === undefined || member.static || members.has(name)) continue;
    members.set(name, { doc: above.doc, group, ...shapeOf(member, text) });
  }
  return members;
}

function shapeOf(member, { source }) {
  const slice = (node) => source.slice(node.start, node.end).replaceAll(/\s+/g, ' ');
  if (member.type === 'TSMethodSignature')
    return { kind: 'method', parameters: (member.params ?? []).map(slice) };
  const annotation = member.typeAnnotation?.typeAnnotation;
  if (!annotation) return { kind: 'other' };
  return { kind: 'property', type: slice(annotation), isDeclared: member.declare === true };
}

/** The comment for users right above a place, and the heading of the group that begins there. */
function commentAbove({ source, comments }, start) {
  let end = start;
  const found = {};
  for (const comment of comments.toReversed()) {
    if (comment.end > end) continue;
    if (source.slice(comment.end, end).trim() !== '') break;
    end = comment.start;
    if (comment.type === 'Block') found.doc ??= readComment(comment.value);
    else found.group ??= comment.value.trim();
  }
  return found;
}

/** The words of a comment, on one line, without its examples. */
function readComment(value) {
  if (!value.startsWith('*')) return undefined;
  const lines = value
    .slice(1)
    .replace(/@example[^]*/, '')
    .split('\n');
  return lines
    .map((line) => line.replace(/^\s*\*? ?/, '').trimEnd())
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
