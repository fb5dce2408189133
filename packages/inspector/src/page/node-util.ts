// Replaces Node's `util` in the page's script: the one function that shared code needs. A page only reads JSON, which has no
// boxed values.

export const types = { isBoxedPrimitive: (_value: unknown): boolean => false };
