// The page on traces: what it says of settings and the format is so.
import { describe, expect, it } from 'vitest';
import { readProjectFile } from '../package/project.js';
import { TRACE_SCHEMA } from '../../packages/core/test/record/trace/support/trace-schema.js';

describe('the page on traces', () => {
  it('names every kind of line', () => {
    const page = readProjectFile('docs/traces.md');
    const { $defs } = TRACE_SCHEMA as unknown as {
      $defs: Record<string, { properties?: { type?: { const?: string; enum?: string[] } } }>;
    };
    const kinds = ['header', 'frameEvent', 'fault', 'mark', 'gap', 'end'].flatMap((name) => {
      const { const: one, enum: some } = $defs[name]?.properties?.type ?? {};
      return some ?? (one === undefined ? [] : [one]);
    });
    expect(kinds).toHaveLength(7);
    for (const kind of kinds) expect(page).toContain(`\`${kind}\``);
  });
});
