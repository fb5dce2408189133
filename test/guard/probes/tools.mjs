// The tools that peer.mjs calls, with each of the three ways to write a schema.

/** Their input, by kind of schema: zod's shapes, JSON Schema, words. */
export async function makeShapes(kind) {
  if (kind === 'words')
    return { lookup: { id: 'string', limit: 'number?', fields: 'string[]?' }, echo: { text: 'string' } };
  if (kind === 'json') return { lookup: LOOKUP, echo: ECHO };
  const { z } = await import('zod');
  const fields = z.array(z.string()).optional();
  return { lookup: { id: z.string(), limit: z.number().optional(), fields }, echo: { text: z.string() } };
}

const TEXT = { type: 'string' };
const LOOKUP = {
  type: 'object',
  properties: { id: TEXT, limit: { type: 'number' }, fields: { type: 'array', items: TEXT } },
  required: ['id'],
};
const ECHO = { type: 'object', properties: { text: TEXT }, required: ['text'] };

/** The option `mcpServers` with both tools; each call is told to `onCall` and waits for what it returns. */
export function offerTools({ tool, createSdkMcpServer }, shapes, onCall = async () => {}) {
  const answer = async (input) => {
    await onCall(input);
    return 'found';
  };
  const tools = Object.entries(shapes).map(([name, shape]) => tool(name, 'Answers at once.', shape, answer));
  return { guard: createSdkMcpServer({ name: 'guard', version: '1.0.0', tools }) };
}
