// The syntax tree of a source file, with the parents of each node. Types are left out: they change nothing at run time.
import { parseSync } from 'rolldown/utils';

/** Parses TypeScript; throws on a syntax error. */
export function parse(file, source) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0].message}`);
  return program;
}

/** Whether the text is a whole file that can be run. */
export function isValid(file, source) {
  return parseSync(file, source).errors.length === 0;
}

/** Calls `visit(node, parents)` for each node that runs; the nearest parent is the last. */
export function walk(node, visit, parents = []) {
  // Types, and what else TypeScript adds; what an assertion like `x as T` or `x!` is about does run.
  const isAssertion = /^TS(?:As|Satisfies|NonNull)/.test(node.type);
  if (node.type.startsWith('TS') && !isAssertion) return;
  visit(node, parents);
  const below = [...parents, node];
  for (const [key, value] of Object.entries(node)) {
    if (key === 'typeAnnotation' || key === 'returnType') continue;
    for (const child of Array.isArray(value) ? value : [value])
      if (child && typeof child.type === 'string') walk(child, visit, below);
  }
}
