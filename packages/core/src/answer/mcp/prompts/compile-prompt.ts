// Makes a prompt ready to be listed and used. It converts the prompt's schema and lists the arguments that it names.
import { InvalidOptionsError } from '../../../errors.js';
import { asString, isRecord } from '../../../util/guards.js';
import { withoutUndefined } from '../../../util/without-undefined.js';
import { compileSchema, type JsonSchema } from '../../schema/compile-schema.js';
import type { Completer } from './completers.js';
import type { CompiledPrompt, PlainPrompt, PromptListing } from './prompts.js';

/** Makes a prompt ready. Throws an InvalidOptionsError or a SchemaError that names the prompt. */
export function compilePrompt(prompt: PlainPrompt, takesArguments = true): CompiledPrompt {
  const { name, title, description, _meta, complete = {} } = prompt;
  if (typeof name !== 'string' || name === '') {
    throw new InvalidOptionsError(['name'], 'A prompt needs a name: a string that is not empty');
  }
  if (typeof prompt.run !== 'function') {
    throw new InvalidOptionsError(['run'], `The prompt "${name}" needs a function: pass it as "run"`);
  }
  const subject = `The argument schema of the prompt "${name}"`;
  const schema = compileSchema(prompt.arguments, { tool: name, side: 'input', subject });
  const properties = readProperties(schema.jsonSchema);
  for (const argument of Object.keys(complete)) {
    if (Object.hasOwn(properties, argument)) continue;
    throw new InvalidOptionsError(
      ['complete'],
      `The prompt "${name}" completes "${argument}", which is not one of its arguments (${Object.keys(properties).join(', ') || 'it has none'})`,
    );
  }
  const run = prompt.run as (...given: unknown[]) => unknown;
  return {
    listing: withoutUndefined<PromptListing>({
      name,
      title,
      description,
      arguments: listArguments(schema.jsonSchema, properties),
      _meta,
    }),
    schema,
    run: (args, extra) => (takesArguments ? run.call(prompt, args, extra) : run.call(prompt, extra)),
    findCompleter: (argument) =>
      Object.hasOwn(complete, argument) ? complete[argument] : readEnumeration(properties[argument]),
    enabled: true,
  };
}

/** The properties of an object schema, by name. */
export function readProperties({ properties }: JsonSchema): Record<string, JsonSchema> {
  return isRecord(properties) ? (properties as Record<string, JsonSchema>) : {};
}

function listArguments(
  { required }: JsonSchema,
  properties: Record<string, JsonSchema>,
): PromptListing['arguments'] {
  const names = Object.keys(properties);
  if (names.length === 0) return undefined;
  return names.map((name) =>
    withoutUndefined({
      name,
      title: asString(properties[name]?.['title']),
      description: asString(properties[name]?.['description']),
      required: Array.isArray(required) && required.includes(name),
    }),
  );
}

function readEnumeration(property: JsonSchema | undefined): Completer | undefined {
  const values = property?.['enum'];
  return Array.isArray(values) ? values.map(String) : undefined;
}
