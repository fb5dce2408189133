// The lists of names: in order, without doubles, and in agreement with each other.
import { describe, expect, it } from 'vitest';
import { BUILTIN_TOOL_NAMES, LEGACY_TOOL_NAME_ALIASES } from '../../src/protocol/cli-facts.js';

describe('tool names', () => {
  it('are sorted, without doubles', () => {
    expect(BUILTIN_TOOL_NAMES).toEqual([...new Set(BUILTIN_TOOL_NAMES)].toSorted());
  });

  it('are where former names lead, and are no former names', () => {
    for (const [former, present] of Object.entries(LEGACY_TOOL_NAME_ALIASES)) {
      expect(BUILTIN_TOOL_NAMES).toContain(present);
      expect(BUILTIN_TOOL_NAMES).not.toContain(former);
    }
  });

  it('cannot be changed under others', () => {
    expect(() => (BUILTIN_TOOL_NAMES as string[]).push('X')).toThrow(TypeError);
  });
});
