// Each attribute of a span or a metric stands in an expectation and on the page about telemetry: one that is new fails here until then.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readProjectFile } from '../../../test/package/project.js';
import { ATTRIBUTE, METRIC } from '../src/attributes.js';

const NAMES = [...Object.values(ATTRIBUTE), ...Object.values(METRIC)];

it('is on the page', () => {
  const page = readProjectFile('docs/telemetry.md');
  expect(NAMES.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

it('is in an expectation of a test', () => {
  const folder = new URL('.', import.meta.url);
  const tests = readdirSync(folder).filter(
    (name) => name.endsWith('.test.ts') && !import.meta.url.endsWith(name),
  );
  const text = tests.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
  expect(NAMES.filter((name) => !text.includes(`'${name}'`))).toEqual([]);
});
