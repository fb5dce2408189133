// The mutants of a file: each is the file with one change.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MUTATORS } from './mutators.mjs';
import { findProbe } from './probes.mjs';
import { ROOT } from './areas.mjs';
import { isValid, parse, walk } from './syntax.mjs';

/** All mutants of a file that can be run, in the order of the source. */
export function listMutants(file) {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const mutants = [];
  walk(parse(file, source), (node, parents) => {
    for (const { name, edits } of MUTATORS[node.type]?.(node, { source, parents }) ?? []) {
      const [edit] = edits;
      const code = source.slice(0, edit.start) + edit.text + source.slice(edit.end);
      if (source.slice(edit.start, edit.end) === edit.text || !isValid(file, code)) continue;
      mutants.push({
        file,
        name,
        line: source.slice(0, edit.start).split('\n').length,
        before: shorten(source.slice(edit.start, edit.end)),
        after: shorten(edit.text),
        context: lineAt(source, edit.start),
        probe: findProbe([...parents, node]),
        code,
      });
    }
  });
  return nameAll(mutants);
}

// The name under which `reasons.json` knows a mutant: without the number of the line, which changes with every edit above it.
function nameAll(mutants) {
  const seen = new Map();
  return mutants.map((mutant) => {
    const base = `${mutant.name} | ${mutant.before} | ${mutant.context}`;
    const count = (seen.get(base) ?? 0) + 1;
    seen.set(base, count);
    return { ...mutant, id: count === 1 ? base : `${base} | ${count}` };
  });
}

/** Takes `count` of the mutants, by a seed; in their order. */
export function sample(mutants, count, seed) {
  if (mutants.length <= count) return mutants;
  const random = createRandom(seed);
  const order = mutants.map((mutant, index) => ({ index, rank: random() })).sort((a, b) => a.rank - b.rank);
  return order
    .slice(0, count)
    .map(({ index }) => index)
    .sort((a, b) => a - b)
    .map((index) => mutants[index]);
}

// A small generator with a seed (mulberry32): Node's own has none.
function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A text in one line, as names of mutants have it. */
export function shorten(text) {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 90 ? `${line.slice(0, 87)}...` : line;
}

function lineAt(source, offset) {
  const start = source.lastIndexOf('\n', offset - 1) + 1;
  const end = source.indexOf('\n', offset);
  return shorten(source.slice(start, end === -1 ? undefined : end));
}
