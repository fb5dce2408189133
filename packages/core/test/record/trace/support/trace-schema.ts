// The published schema, ready to judge lines of traces.
import { readFileSync } from 'node:fs';
import { Validator, type Schema } from '@cfworker/json-schema';

const TEXT = readFileSync(new URL('../../../../../../schema/trace.schema.json', import.meta.url), 'utf8');

/** The schema as data. */
export const TRACE_SCHEMA = JSON.parse(TEXT) as Schema;

const validator = new Validator(TRACE_SCHEMA, '2020-12', false);

/** What the schema says against a value; empty when it fits. */
export function findFaults(value: unknown): string[] {
  const { valid, errors } = validator.validate(value);
  return valid ? [] : errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}

/** What it says against the lines of a file. */
export function findFileFaults(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line, index) =>
      findFaults(JSON.parse(line)).map((fault) => `line ${index + 1} ${fault} in ${line.slice(0, 300)}`),
    );
}
