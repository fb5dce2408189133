// What is run on one runtime for each commit, because it takes as long as everything else on that runtime.

/** The fields of the matrix. Of those whose program goes by turns, the seed chooses one; the others say why they wait. */
export function takeTurns(fields, seed) {
  const turns = fields.filter(
    ({ runtime, program }) => program.isByTurns && !runtime.missing && !program.cannot?.(runtime),
  );
  return fields.map((field) => {
    const ofProgram = turns.filter(({ program }) => program === field.program);
    const turn = ofProgram[seed % ofProgram.length];
    if (!ofProgram.includes(field) || field === turn) return field;
    return { ...field, waits: `by turns, seed ${seed}: now on ${turn.runtime.name} (--all: on each)` };
  });
}
