// The lists of names and texts: their own order and promises. That they equal the official ones is compared in
// test/official.
import { describe, expect, it } from 'vitest';
import {
  BUILTIN_TOOL_NAMES,
  LEGACY_TOOL_NAME_ALIASES,
  ORG_POLICY_LIMIT_PREFIXES,
  USAGE_LIMIT_ERROR_PREFIXES,
  USAGE_TRANSITION_PREFIXES,
  USAGE_WARNING_PREFIXES,
} from '../../../src/wire/protocol/cli-facts.js';

const PREFIXES = [
  ...USAGE_LIMIT_ERROR_PREFIXES,
  ...USAGE_WARNING_PREFIXES,
  ...USAGE_TRANSITION_PREFIXES,
  ...ORG_POLICY_LIMIT_PREFIXES,
];

describe('the names of built-in tools', () => {
  it('are listed once, by the alphabet', () => {
    const sorted = [...new Set(BUILTIN_TOOL_NAMES)].toSorted((a, b) =>
      a.toLowerCase() < b.toLowerCase() ? -1 : 1,
    );
    expect(BUILTIN_TOOL_NAMES).toEqual(sorted);
  });

  it('are what former names lead to, and hold no former name', () => {
    for (const [former, present] of Object.entries(LEGACY_TOOL_NAME_ALIASES)) {
      expect(BUILTIN_TOOL_NAMES).toContain(present);
      expect(BUILTIN_TOOL_NAMES).not.toContain(former);
    }
  });

  it('cannot be changed by one program for all', () => {
    expect(() => (BUILTIN_TOOL_NAMES as unknown as string[]).push('X')).toThrow(TypeError);
    expect(() => (USAGE_WARNING_PREFIXES as unknown as string[]).push('X')).toThrow(TypeError);
  });
});

describe('the beginnings of texts', () => {
  it('tell the kinds apart', () => {
    expect(new Set(PREFIXES).size).toBe(PREFIXES.length);
    for (const limit of USAGE_LIMIT_ERROR_PREFIXES) {
      for (const notice of [...USAGE_WARNING_PREFIXES, ...USAGE_TRANSITION_PREFIXES]) {
        expect(limit.startsWith(notice) || notice.startsWith(limit), `${limit} / ${notice}`).toBe(false);
      }
    }
  });
});
