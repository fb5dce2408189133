// Compiles a plain JSON Schema. An object schema is listed unchanged. No defaults are applied and no keys are dropped, so
// the handler gets the arguments as they were sent. The validator is loaded with the first call.
import { isRecord } from '../../../util/guards.js';
import { SchemaError } from '../../../errors.js';
import { LateModule } from '../../../util/late-module.js';
import { loadPackage } from '../../../util/load-part.js';
import { messageOf } from '../../../util/message-of.js';
import { checkJsonSchema, isRegExp } from './check-json-schema.js';
import type { CompiledSchema, JsonSchema, SchemaSubject, ValidationResult } from '../compiled-schema.js';
import { Conversion } from '../conversion.js';
import { readJsonSchemaIssues, type OutputUnit } from './json-schema-issues.js';
import { toObjectRoot } from './object-root.js';
import { walkSchemas } from './references.js';

/** The number of file descriptors that Node 20 may need to load the validator. It is twice the measured number. */
const ROOM = 16;
const library = new LateModule(() =>
  loadPackage(
    { name: '@cfworker/json-schema', room: ROOM, isOwn: true },
    () => import('@cfworker/json-schema'),
  ),
);

type Draft = '4' | '7' | '2019-09' | '2020-12';

interface Validator {
  validate(value: unknown): { valid: boolean; errors: OutputUnit[] };
}

/** Compiles a plain JSON Schema. Most mistakes in it are found here, not at the first call. */
export function compileJsonSchema(schema: JsonSchema, about: SchemaSubject): CompiledSchema {
  const conversion = new Conversion(about);
  const document = conversion.finish(schema);
  checkJsonSchema(document, conversion);
  // A schema without a type may describe an object. A listing must say so.
  const jsonSchema = toObjectRoot(document, conversion);
  let validator: Validator | undefined;
  const validate = (value: unknown): ValidationResult | Promise<ValidationResult> => {
    if (validator) return runValidator(validator, about.side, value);
    return loadValidator(document, about).then((loaded) => {
      validator = loaded;
      return runValidator(loaded, about.side, value);
    });
  };
  return { jsonSchema, validate };
}

function runValidator(validator: Validator, side: 'input' | 'output', value: unknown): ValidationResult {
  const given = value === undefined && side === 'input' ? {} : value;
  if (!isRecord(given)) return { ok: false, issues: [{ path: [], message: 'Expected object' }] };
  // A handler's value is checked in the form in which it will be sent. JSON has no undefined, and dates are texts.
  const sent: unknown = side === 'output' ? JSON.parse(JSON.stringify(given)) : given;
  const { valid, errors } = validator.validate(sent);
  return valid ? { ok: true, value: given } : { ok: false, issues: readJsonSchemaIssues(errors, sent) };
}

async function loadValidator(document: JsonSchema, about: SchemaSubject): Promise<Validator> {
  const { Validator } = await library.load();
  try {
    return new Validator(prepareForValidator(document), readDraft(document), false);
  } catch (cause) {
    throw new SchemaError(
      { tool: about.tool, path: '' },
      `The ${about.side} schema of tool "${about.tool}" cannot be used to validate: ${messageOf(cause)}`,
      { cause },
    );
  }
}

function readDraft(document: JsonSchema): Draft {
  const dialect = typeof document['$schema'] === 'string' ? document['$schema'] : '';
  if (dialect.includes('draft-04')) return '4';
  if (dialect.includes('draft-06') || dialect.includes('draft-07')) return '7';
  return dialect.includes('2019-09') ? '2019-09' : '2020-12';
}

/** A copy of the schema without the parts that the validator misreads. It is a copy, because the validator changes it. */
function prepareForValidator(document: JsonSchema): JsonSchema {
  const copy = structuredClone(document);
  const usesId = readDraft(document) === '4';
  walkSchemas(copy, (node) => {
    for (const key of Object.keys(node)) {
      // The validator takes an `id` inside an example for the name of a schema.
      if (key === 'example' || key === 'examples' || key.startsWith('x-') || (key === 'id' && !usesId))
        delete node[key];
    }
    // The validator compiles patterns with the "u" flag, under which some patterns of other validators are errors.
    if (node['pattern'] !== undefined && !isRegExp(node['pattern'], 'u')) delete node['pattern'];
  });
  return copy;
}
