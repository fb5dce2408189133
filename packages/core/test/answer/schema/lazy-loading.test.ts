import { expect, it, vi } from 'vitest';

const loads = vi.hoisted(() => ({ count: 0 }));
vi.mock('@cfworker/json-schema', async (importOriginal) => {
  loads.count += 1;
  return importOriginal();
});

it('the JSON Schema validator is loaded at the first call of a tool that needs it, and never before', async () => {
  const z = await import('zod');
  const { compileSchema } = await import('../../../src/answer/schema/compile-schema.js');
  const about = { tool: 'demo', side: 'input' } as const;
  const zod = compileSchema({ a: z.string() }, about);
  const plain = compileSchema({ type: 'object', properties: { a: { type: 'string' } } }, about);
  expect(zod.validate({ a: 'x' })).toMatchObject({ ok: true });
  expect(compileSchema({ a: 'string' }, about).validate({ a: 'x' })).toMatchObject({ ok: true });
  expect(loads.count).toBe(0);
  await Promise.all([plain.validate({ a: 'x' }), plain.validate({ a: 1 })]);
  expect(loads.count).toBe(1);
});
