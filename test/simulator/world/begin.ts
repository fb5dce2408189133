// When every world begins, by the clock of its journal.
export const BEGIN = Date.UTC(2030, 0, 7);
