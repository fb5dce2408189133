// Which ways to describe a tool's input an SDK takes. One counts if the handler gets the model's input as it was.

/** A schema of a library that Inboard has never seen: the two interfaces of Standard Schema, by hand. */
export function standardSchema() {
  return {
    '~standard': {
      version: 1,
      vendor: 'by-hand',
      validate: (value) => ({ value }),
      jsonSchema: { input: jsonSchema, output: jsonSchema },
    },
  };
}

/** The same as plain JSON Schema. */
export function jsonSchema() {
  return {
    type: 'object',
    properties: { who: { type: 'string' } },
    required: ['who'],
    additionalProperties: false,
  };
}

/** The forms that work, as the table lists them. `play` runs an agent whose tool has the schema, and reports its input. */
export async function foundSchemas(forms, play) {
  const found = [];
  for (const [name, schema] of Object.entries(forms)) {
    const inputs = [];
    // Refusing a form is an answer, however an SDK does it.
    await play(schema, (input) => inputs.push(input)).catch(() => {});
    if (JSON.stringify(inputs) === '[{"who":"Ada"}]') found.push(name);
  }
  const both = ['zod 3', 'zod 4'];
  if (!both.every((name) => found.includes(name))) return found.join(', ');
  return ['zod 3 and 4', ...found.filter((name) => !both.includes(name))].join(', ');
}
