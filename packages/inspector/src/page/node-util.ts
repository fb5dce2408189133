// Stands for Node's module of the same name in the page's script: the one function of it that shared code needs. What a page
// reads was JSON, and JSON has no boxed values.

export const types = { isBoxedPrimitive: (_value: unknown): boolean => false };
