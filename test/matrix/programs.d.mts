export const UNIT_TESTS: string[];
