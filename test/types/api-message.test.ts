// API content: narrowing by `type` gives each block its own fields, also beside the open-ended members.
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { OwnBlockParam } from '../../packages/core/src/wire/protocol/api/api-input.js';
import type { ToolResultBlockParam } from '../../packages/core/src/wire/protocol/api/api-input-blocks.js';
import type { OpenString } from '../../packages/core/src/wire/protocol/messages/message-values.js';
import type {
  OwnContentBlock,
  ServerToolResultBlock,
  ServerToolUseBlock,
  TextBlock,
  ThinkingBlock,
  ToolUseBlock,
} from '../../packages/core/src/wire/protocol/api/api-blocks.js';
import type { RawMessageStreamEvent } from '../../packages/core/src/wire/protocol/api/api-stream.js';

describe('ContentBlock', () => {
  it('narrows by type', () => {
    const read = (block: OwnContentBlock): string => {
      if (block.type === 'text') {
        expectTypeOf(block).toEqualTypeOf<TextBlock>();
        return block.text;
      }
      if (block.type === 'thinking') {
        expectTypeOf(block).toEqualTypeOf<ThinkingBlock>();
        return block.thinking;
      }
      if (block.type === 'tool_use') {
        expectTypeOf(block).toEqualTypeOf<ToolUseBlock>();
        return block.name;
      }
      if (block.type === 'server_tool_use') {
        expectTypeOf(block).toEqualTypeOf<ServerToolUseBlock>();
        return block.name;
      }
      if (block.type === 'web_search_tool_result') {
        expectTypeOf(block).toExtend<ServerToolResultBlock>();
        return block.tool_use_id;
      }
      return block.type;
    };
    expect(read({ type: 'text', text: 'hello', citations: null })).toBe('hello');
    expect(read({ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} })).toBe('Bash');
    expect(read({ type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [] })).toBe('srv_1');
    expect(read({ type: 'container_upload', file_id: 'f' })).toBe('container_upload');
  });
});

describe('ContentBlockParam', () => {
  it('narrows a tool result beside the results of API tools', () => {
    const read = (block: OwnBlockParam): unknown => {
      if (block.type !== 'tool_result') return undefined;
      expectTypeOf(block).toEqualTypeOf<ToolResultBlockParam>();
      return block.content;
    };
    expect(read({ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' })).toBe('ok');
    expect(read({ type: 'text', text: 'ok' })).toBeUndefined();
  });
});

describe('RawMessageStreamEvent', () => {
  it('leads to the text of a delta', () => {
    const readText = (event: RawMessageStreamEvent): string | undefined =>
      event.type === 'content_block_delta' && event.delta.type === 'text_delta'
        ? event.delta.text
        : undefined;
    const event: RawMessageStreamEvent = {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: 'hel' },
    };
    expect(readText(event)).toBe('hel');
    expect(readText({ type: 'message_stop' })).toBeUndefined();
  });
});

describe('OpenString', () => {
  it('knows some values and takes all', () => {
    expectTypeOf<'known'>().toExtend<OpenString<'known'>>();
    expectTypeOf<'unheard of'>().toExtend<OpenString<'known'>>();
    expectTypeOf<OpenString<'known'>>().toExtend<string>();
    expectTypeOf<number>().not.toExtend<OpenString<'known'>>();
  });
});
