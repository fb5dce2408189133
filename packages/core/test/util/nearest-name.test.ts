import { describe, expect, it } from 'vitest';
import { findNearestName } from '../../src/util/nearest-name.js';

const names = ['model', 'permissionMode', 'maxTurns', 'mcpServers', 'cwd', 'env', 'systemPrompt'];

describe('findNearestName', () => {
  it.each([
    ['mdoel', 'model'],
    ['Model', 'model'],
    ['permission_mode', 'permissionMode'],
    ['permisionmode', 'permissionMode'],
    ['max-turns', 'maxTurns'],
    ['mcpServer', 'mcpServers'],
    ['cdw', 'cwd'],
    ['systemPromt', 'systemPrompt'],
    ['cwd', 'cwd'],
  ])('takes %s for %s', (name, expected) => {
    expect(findNearestName(name, names)).toBe(expected);
  });

  it.each(['', 'x', 'em', 'abc', 'temperature', 'toolsets'])('finds nothing near %j', (name) => {
    expect(findNearestName(name, names)).toBeUndefined();
  });

  it('prefers the nearer, and the first of equals', () => {
    expect(findNearestName('allowed', ['allower', 'allowed', 'allowex'])).toBe('allowed');
    expect(findNearestName('tools', ['toolz', 'toolx'])).toBe('toolz');
  });
});
