// Every way to show a trace is in the help, on the pages, and in the tests of what recorded texts can do.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TRACE_COMMAND } from '../src/trace/command.js';
import { RENDERERS } from '../src/trace/trace-renderers.js';
import { PROJECT_ROOT, readProjectFile, readWholePage } from '../../../test/package/project.js';

const NAMES = Object.keys(RENDERERS);

describe('a trace renderer', () => {
  it('is in the usage, and nothing else is', () => {
    expect(TRACE_COMMAND.usage.split(')')[0]).toBe(`(${[...NAMES, 'replay'].join(' | ')}`);
  });

  it.each(NAMES)('is explained in the help and on the pages: %s', (name) => {
    expect(TRACE_COMMAND.details?.join('\n')).toMatch(new RegExp(`\\b${name} (?:prints|writes) `));
    const page = readWholePage('docs/command.md');
    expect(page).toContain(`\nnpx inboard trace ${name} `);
    expect(page).toMatch(new RegExp(`\`${name}\` (?:prints|writes) `));
    expect(readProjectFile('docs/traces.md')).toContain(`\`inboard trace ${name} `);
  });

  it('has cases in timeline.test.ts', () => {
    const files = readdirSync(join(PROJECT_ROOT, 'packages/core/src/record/trace/render'));
    const renderers = files
      .filter((name) => name.startsWith('render-'))
      .map((name) => name.slice(0, -'.ts'.length));
    const tests = readProjectFile('packages/core/test/record/trace/timeline.test.ts');
    expect(renderers.length).toBeGreaterThan(1);
    expect(renderers.filter((name) => !tests.includes(`/render/${name}.js`))).toEqual([]);
  });
});
