// Servers, tools and calls, read from events: recorded ones of the real CLI, and made ones for what a recording has not.
import { describe, expect, it } from 'vitest';
import { listToolEntries } from '../../src/model/tools/list-entries.js';
import { findPercentiles } from '../../src/model/tools/observed-calls.js';
import { splitToolName } from '../../src/model/story/tool-name.js';
import { ToolLedger } from '../../src/model/tools/tool-ledger.js';
import type { ToolEntry } from '../../src/model/tools/tool-entry.js';
import type { InspectorEvent } from '../../src/stream/inspector-event.js';
import type { Question } from '../../src/stream/question.js';
import { readFixture } from '../support/make-events.js';

describe('a recorded session', () => {
  const ledger = new ToolLedger();
  for (const event of readFixture('story')) ledger.push(event);
  const { servers, cliTools } = ledger.read(listToolEntries);
  const tool = (name: string): ToolEntry | undefined =>
    [...servers.flatMap(({ tools }) => tools), ...cliTools].find((each) => each.name === name);

  it('has the servers of the handshake with their tools and schemas', () => {
    expect(servers[0]).toMatchObject({ name: 'shop', runsHere: true, status: 'connected' });
    expect(tool('count_stock')).toMatchObject({
      toolName: 'mcp__shop__count_stock',
      runsHere: true,
      isListed: true,
      inputSchema: { type: 'object', properties: { warehouse: {}, article: {} } },
    });
  });

  it('counts calls, errors and refusals, each once', () => {
    expect(tool('count_stock')?.calls.map(({ state }) => state)).toEqual(['done', 'done', 'failed']);
    expect(tool('count_stock')).toMatchObject({ errors: 1, denied: 0 });
    expect(tool('count_stock')?.lastError).toContain('ETIMEDOUT');
    expect(tool('refund_order')).toMatchObject({ errors: 0, denied: 1 });
    expect(tool('Bash')?.calls).toHaveLength(1);
    expect(tool('Bash')?.runsHere).toBe(false);
  });

  it('tells the time of the handler from the time until the result', () => {
    for (const { handlerMs = 0, wholeMs = 0, requestN, answerN } of tool('count_stock')?.calls ?? []) {
      expect(handlerMs).toBeGreaterThan(0);
      expect(wholeMs).toBeGreaterThanOrEqual(handlerMs);
      expect(requestN).toBeLessThan(answerN ?? 0);
    }
    expect(tool('Bash')?.handler).toBeUndefined();
    expect(tool('Bash')?.whole?.p50).toBeGreaterThan(0);
  });

  it('says why a call was refused, and nothing of tools that ran', () => {
    expect(tool('refund_order')?.silence?.text).toMatch(/asked for it once, and was refused: Jonas asked/);
    expect(tool('count_stock')?.silence).toBeUndefined();
  });

  it('knows the models', () => {
    expect(ledger.models.length).toBeGreaterThan(0);
    expect(ledger.models[0]).toMatchObject({ value: expect.any(String), label: expect.any(String) });
  });
});

describe('a tool that the CLI is told is read-only', () => {
  const isReadOnly = (more: object): boolean | undefined => {
    const tool = { name: 'count', annotations: { readOnlyHint: true }, ...more };
    return find(read([handshake(tool)]))?.isReadOnly;
  };

  it('is shown so, unless it is only parallel', () => {
    expect(isReadOnly({})).toBe(true);
    expect(isReadOnly({ _meta: { 'inboard/parallel': true } })).toBe(false);
  });
});

describe('why a tool was not called', () => {
  it('is that no turn has begun', () => {
    expect(silenceOf([handshake()])).toBe('No turn has begun yet.');
  });

  it.each([
    ['pending', /server "shop" is pending/],
    ['failed', /server "shop" is failed \(no such file\)/],
    ['needs-auth', /server "shop" is needs-auth/],
  ])('is that its server is %s', (status, text) => {
    const row = { name: 'shop', status, ...(status === 'failed' && { error: 'no such file' }) };
    expect(silenceOf([handshake(), init([], [row])])).toMatch(text);
  });

  it('is that the CLI does not list it', () => {
    expect(silenceOf([handshake(), init(['Bash'])])).toMatch(
      /connected to the server "shop" but does not list the tool/,
    );
  });

  it('is that it is deferred, and was not searched for, or not found', () => {
    const begun = [handshake(), init(['ToolSearch', 'mcp__shop__count'])];
    expect(silenceOf(begun)).toMatch(/deferred.*never searched/);
    const search = [...begun, call('s1', 'ToolSearch', { query: 'orders' })];
    expect(silenceOf([...search, result('s1', [])])).toMatch(/searched 1 time, but did not find it/);
    const found = [{ type: 'tool_reference', tool_name: 'mcp__shop__count' }];
    expect(silenceOf([...search, result('s1', found)])).toMatch(
      /found it by a search, but did not choose it/,
    );
  });

  it('is not deferral where the tool is loaded at once', () => {
    const tool = { name: 'count', _meta: { 'anthropic/alwaysLoad': true } };
    const text = silenceOf([handshake(tool), init(['ToolSearch', 'mcp__shop__count'])]);
    expect(text).toMatch(/saw it from the start, but did not choose it; its name was never mentioned/);
  });

  it('is that the model chose another way', () => {
    const begun = [handshake(), init(['mcp__shop__count'])];
    const prompt = { type: 'user', message: { role: 'user', content: 'Please use count for that.' } };
    expect(silenceOf([...begun, frame('out', prompt)])).toMatch(/though its name was mentioned/);
  });

  it('is that a rule refused every call, which the result tells', () => {
    const refused = [
      handshake(),
      init(['mcp__shop__count']),
      call('c1', 'mcp__shop__count', {}),
      result('c1', 'Permission to use it has been denied.', true),
      frame('in', {
        type: 'result',
        permission_denials: [{ tool_name: 'mcp__shop__count', tool_use_id: 'c1' }],
      }),
    ];
    expect(silenceOf(refused)).toMatch(/once, and was refused: Permission to use it has been denied/);
  });

  it('is that a person refused, who answered outside the callback', () => {
    const question = { id: 'q1', kind: 'permission', toolUseId: 'c1' } as Question;
    const ledger = read([
      handshake(),
      init(['mcp__shop__count']),
      call('c1', 'mcp__shop__count', {}),
      { type: 'asked', t: 3, question },
      { type: 'settled', t: 4, id: 'q1', outcome: 'denied', by: 'inspector', message: 'Not today.' },
      result('c1', 'Not today.', true),
    ]);
    expect(find(ledger)).toMatchObject({ denied: 1, errors: 0 });
    expect(ledger.settlements.get('q1')).toMatchObject({ by: 'inspector' });
  });
});

describe('a session that goes on', () => {
  it('lists tools anew when a server does, page after page', () => {
    const list = (id: string, params: object, tools: object[]): InspectorEvent[] => [
      mcp(id, { jsonrpc: '2.0', id: 1, method: 'tools/list', params }),
      answer(id, { mcp_response: { jsonrpc: '2.0', id: 1, result: { tools } } }),
    ];
    const ledger = read([
      handshake(),
      ...list('l1', {}, [{ name: 'one' }]),
      ...list('l2', { cursor: 'x' }, [{ name: 'two' }]),
    ]);
    expect(ledger.read(listToolEntries).servers[0]?.tools.map(({ name }) => name)).toEqual(['one', 'two']);
  });

  it('has calls that are cut off when it ends', () => {
    const ledger = read([
      handshake(),
      init(['mcp__shop__count']),
      call('c1', 'mcp__shop__count', {}),
      { type: 'over', t: 9 },
    ]);
    expect(find(ledger)?.calls[0]?.state).toBe('cut');
  });

  it('gives the same overview until something changes it', () => {
    const ledger = read([handshake()]);
    expect(ledger.read(listToolEntries)).toBe(ledger.read(listToolEntries));
    const before = ledger.read(listToolEntries);
    ledger.push({ n: 50, s: 's', event: init(['Bash']) });
    expect(ledger.read(listToolEntries)).not.toBe(before);
  });
});

describe('figures and names', () => {
  it('take percentiles by the nearest rank', () => {
    expect(findPercentiles([])).toBeUndefined();
    expect(findPercentiles([5, undefined])).toEqual({ p50: 5, p95: 5 });
    expect(findPercentiles(Array.from({ length: 100 }, (_, index) => 100 - index))).toEqual({
      p50: 50,
      p95: 95,
    });
  });

  it('take names apart', () => {
    expect(splitToolName('mcp__shop__count__all')).toEqual({ server: 'shop', name: 'count__all' });
    expect(splitToolName('Bash')).toEqual({ server: undefined, name: 'Bash' });
  });
});

function read(events: readonly InspectorEvent[]): ToolLedger {
  const ledger = new ToolLedger();
  for (const [index, event] of events.entries()) ledger.push({ n: index + 1, s: 's', event });
  return ledger;
}

function find(ledger: ToolLedger): ToolEntry | undefined {
  return ledger.read(listToolEntries).servers.flatMap(({ tools }) => tools)[0];
}

function silenceOf(events: readonly InspectorEvent[]): string | undefined {
  return find(read(events))?.silence?.text;
}

function frame(dir: 'in' | 'out', content: Record<string, unknown>): InspectorEvent {
  return { type: 'frame', t: 1, dir, frame: content };
}

function handshake(tool: object = { name: 'count' }): InspectorEvent {
  const request = {
    subtype: 'initialize',
    sdkMcpServers: ['shop'],
    sdkMcpServerManifests: { shop: { initializeResult: {}, toolsListResult: { tools: [tool] } } },
  };
  return frame('out', { type: 'control_request', request_id: 'i', request });
}

function init(tools: string[], servers: object[] = [{ name: 'shop', status: 'connected' }]): InspectorEvent {
  return frame('in', { type: 'system', subtype: 'init', tools, mcp_servers: servers, capabilities: [] });
}

function call(id: string, name: string, input: object): InspectorEvent {
  return frame('in', { type: 'assistant', message: { content: [{ type: 'tool_use', id, name, input }] } });
}

function result(id: string, content: unknown, isError = false): InspectorEvent {
  const block = { type: 'tool_result', tool_use_id: id, content, is_error: isError };
  return frame('in', { type: 'user', message: { content: [block] } });
}

function mcp(id: string, message: object): InspectorEvent {
  const request = { subtype: 'mcp_message', server_name: 'shop', message };
  return frame('in', { type: 'control_request', request_id: id, request });
}

function answer(id: string, response: object): InspectorEvent {
  return frame('out', {
    type: 'control_response',
    response: { subtype: 'success', request_id: id, response },
  });
}
