// Why a tool was not called: each cause on plain data.
import { describe, expect, it } from 'vitest';
import type { DefinedTool } from '../../../src/answer/mcp/tool/defined-tool.js';
import { allowsTool, deniesTool } from '../../../src/answer/permissions/tool-rules.js';
import { toolName } from '../../../src/answer/mcp/tool/tool-name.js';
import {
  diagnoseDefinedTools,
  diagnoseTool,
  type ToolFacts,
} from '../../../src/answer/diagnosis/diagnose-tool.js';

const define = (server: string, tool: string, loading: DefinedTool['loading'] = 'sdk'): DefinedTool => ({
  server,
  tool,
  toolName: toolName(server, tool),
  alwaysLoad: false,
  loading,
});
const count = define('shop', 'count');
const facts = (more: Partial<ToolFacts> = {}): ToolFacts => ({
  defined: [count],
  listed: ['mcp__shop__count', 'Read'],
  servers: [{ name: 'shop', status: 'connected' }],
  ...more,
});
const NAME = 'mcp__shop__count';
const kinds = (name: string, more?: Partial<ToolFacts>): string[] =>
  diagnoseTool(name, facts(more)).causes.map(({ kind }) => kind);

// A server's name covers its tools; no other name, and no beginning of one, covers anything.
it.each([
  ['mcp__shop', 'mcp__shop__count', true],
  ['mcp__shop', 'mcp__shopping__count', false],
  ['Read', 'Read__all', false],
  ['Read', 'Read', true],
])('the rule "%s" names "%s": %s', (rule, name, isNamed) => {
  expect([allowsTool(rule, name), deniesTool(rule, name)]).toEqual([isNamed, isNamed]);
});

it('allows by a pattern only behind the name of a server, and denies by any', () => {
  for (const [rule, name] of [
    ['my_mcp__shop__*', 'my_mcp__shop__count'],
    ['mcp__shop*', 'mcp__shop__count'],
    ['Re*', 'Read'],
  ] as const)
    expect([rule, allowsTool(rule, name), deniesTool(rule, name)]).toEqual([rule, false, true]);
});

describe('diagnoseTool', () => {
  it('finds nothing between the model and a tool that it sees and may call', () => {
    expect(diagnoseTool(NAME, facts())).toEqual({ name: NAME, toolName: NAME, causes: [] });
    expect(kinds(NAME, { otherwise: 'deny', allowedTools: ['Read, mcp__shop'] })).toEqual([]);
    expect(kinds(NAME, { otherwise: 'allow' })).toEqual([]);
    expect(kinds('Read', { otherwise: 'deny' }), 'the CLI has rules of its own for its tools').toEqual([]);
  });

  it.each([
    [NAME, true],
    ['mcp__shop', true],
    ['mcp__shop__*', true],
    ['mcp__shop__c*', true],
    ['mcp__*', true],
    ['*', true],
    ['Bash(ls, pwd),mcp__shop__count', true],
    ['mcp__shop__count,Read', true],
    ['Read mcp__shop__count Write', true],
    ['Bash(ls) mcp__shop__count', true],
    ['Bash(mcp__shop__count)', false],
    ['Bash(ls mcp__shop__count )', false],
    ['mcp__shop__c*(x)', false],
    ['Read\tmcp__shop__count', false],
    ['mcp__shop__count(x)', false],
    ['mcp__sho', false],
    ['mcp__shop__c', false],
    ['mcp__shop__d*', false],
  ])('disallowedTools: ["%s"] denies: %s', (rule, denies) => {
    const diagnosis = diagnoseTool(NAME, facts({ disallowedTools: [rule], listed: denies ? [] : [NAME] }));
    expect(diagnosis.causes.map(({ kind }) => kind)).toEqual(denies ? ['denied'] : []);
    if (denies) expect(diagnosis.causes[0]?.reason).toContain('in "disallowedTools"');
  });

  it.each([
    ['mcp__shop__count', []],
    ['mcp__shop__*', []],
    ['mcp__shop__c*', []],
    ['mcp__*', ['denied']],
    ['*', ['denied']],
    ['mcp__shop__count(x)', ['denied']],
  ])('allowedTools: ["%s"] where nobody is asked: %j', (rule, causes) => {
    expect(kinds(NAME, { otherwise: 'deny', allowedTools: [rule] })).toEqual(causes);
  });

  it('names the server that is not there', () => {
    const failed = [{ name: 'shop', status: 'failed', error: 'no such file' }];
    const [cause] = diagnoseTool(NAME, facts({ listed: [], servers: failed })).causes;
    expect(cause).toMatchObject({ kind: 'missing', reason: 'the server "shop" is failed (no such file)' });
    expect(diagnoseTool(NAME, facts({ listed: [], servers: [] })).causes[0]?.reason).toContain('is absent');
    expect(kinds(NAME, { listed: [] })).toEqual(['missing']);
  });

  it('suggests a name for one that nobody has', () => {
    expect(diagnoseTool('mcp__shop__cuont', facts())).toEqual({
      name: 'mcp__shop__cuont',
      toolName: undefined,
      causes: [expect.objectContaining({ kind: 'missing', advice: 'Did you mean "mcp__shop__count"?' })],
    });
  });

  it('says that the tool is behind the search, and who decided that', () => {
    expect(kinds(NAME, { deferred: [count] })).toEqual(['deferred']);
    const set = define('shop', 'count', 'author');
    const [cause] = diagnoseTool(NAME, facts({ defined: [set], deferred: [set] })).causes;
    expect(cause?.advice).toContain('alwaysLoad: false');
  });

  it('says by which name the model knows a tool', () => {
    expect(diagnoseTool('count', facts())).toMatchObject({ toolName: NAME, causes: [{ kind: 'renamed' }] });
    const dotted = define('my shop', 'count.all');
    const of = (name: string) => diagnoseTool(name, facts({ defined: [dotted], listed: [dotted.toolName] }));
    for (const name of ['count.all', 'mcp__my shop__count.all', 'mcp__my_shop__count_all'])
      expect(of(name), name).toMatchObject({
        toolName: 'mcp__my_shop__count_all',
        causes: [{ kind: 'renamed' }],
      });
  });

  it('tells two tools of one name apart', () => {
    const defined = [define('shop', 'a_b'), define('shop', 'a.b')];
    const diagnoses = diagnoseDefinedTools(facts({ defined, listed: ['mcp__shop__a_b'] }));
    expect(diagnoses.map(({ causes }) => causes.map(({ kind }) => kind))).toEqual([
      [],
      ['shadowed', 'renamed'],
    ]);
    expect(diagnoses[1]?.causes[0]?.reason).toContain('"a_b" of the server "shop"');
  });
});
