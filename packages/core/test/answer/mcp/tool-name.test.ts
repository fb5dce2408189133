import * as fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import type { SdkMcpToolDefinition } from '../../../src/answer/mcp/tool/tool-definition.js';
import { findNameCollisions, rewriteName, toolName } from '../../../src/answer/mcp/tool/tool-name.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';

describe('toolName', () => {
  it('joins server and tool, with a type as exact as the value', () => {
    const name = toolName('cci', 'create_ticket');
    expect(name).toBe('mcp__cci__create_ticket');
    expectTypeOf(name).toEqualTypeOf<'mcp__cci__create_ticket'>();
  });

  it('rewrites characters as the CLI does, in the type too', () => {
    const name = toolName('my server.x', 'do.it now');
    expect(name).toBe('mcp__my_server_x__do_it_now');
    expectTypeOf(name).toEqualTypeOf<'mcp__my_server_x__do_it_now'>();
  });

  it('takes tools and servers as objects', () => {
    const greet = tool('greet', '', {}, () => '');
    const name = toolName({ name: 'demo' }, greet);
    expect(name).toBe('mcp__demo__greet');
    expectTypeOf(name).toEqualTypeOf<'mcp__demo__greet'>();
  });

  it('refuses a tool that the server does not have, where its type knows them', () => {
    const greet = tool('greet', '', {}, () => '');
    const server = createSdkMcpServer({
      name: 'demo',
      tools: [greet, tool({ name: 'part', run: () => '' })],
    });
    expectTypeOf(toolName(server, 'part')).toEqualTypeOf<`mcp__${string}__part`>();
    expect([toolName(server, greet), toolName(server, 'gret' as string)]).toEqual([
      'mcp__demo__greet',
      'mcp__demo__gret',
    ]);
    // @ts-expect-error -- there is no such tool
    toolName(server, 'gret');
    const other = tool('other', '', () => '');
    // @ts-expect-error -- nor is this one in the server
    toolName(server, other);
    const list: SdkMcpToolDefinition[] = [greet];
    // Servers that are made of anything else take every name.
    toolName(createSdkMcpServer({ name: 'demo', tools: list }), 'gret');
    toolName(createSdkMcpServer({ name: 'demo', tools: [...list, tool('more', '', () => '')] }), 'gret');
    toolName(createSdkMcpServer({ name: 'demo', tools: [{ name: 'a', run: () => '' }] }), 'gret');
    toolName(createSdkMcpServer({ name: 'demo', tools: [greet], toolsMayChange: true }), 'gret');
    toolName(createSdkMcpServer({ name: 'demo' }), 'gret');
  });

  it('is a plain string for names that are only known at run time', () => {
    const name = toolName('demo', String(Math.random()));
    expectTypeOf(name).toEqualTypeOf<`mcp__demo__${string}`>();
  });

  it('only ever gives characters the API takes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (server, name) => {
        expect(toolName(server, name)).toMatch(/^mcp__[a-zA-Z0-9_-]*__[a-zA-Z0-9_-]*$/);
        expect(rewriteName(rewriteName(name))).toBe(rewriteName(name));
      }),
    );
  });
});

describe('findNameCollisions', () => {
  it('groups the names that become one', () => {
    expect(findNameCollisions(['a.b', 'c', 'a b', 'a_b', 'd'])).toEqual([['a.b', 'a b', 'a_b']]);
  });
});
