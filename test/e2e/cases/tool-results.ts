// Every kind of result a tool can give, and what the model receives of it.
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import {
  audio,
  createSdkMcpServer,
  errorResult,
  image,
  resource,
  text,
  tool,
  toolUse,
} from '../support/inboard.js';
import { onStage } from '../support/stage.js';
import { readRest } from '../support/talk.js';

/** What a tool returns, and what the model gets: a text, or blocks, or for errors the text. */
interface ResultKind {
  readonly returns: () => unknown;
  readonly seen: unknown;
  /** Where the older CLI differs. */
  readonly seenByOld?: unknown;
  readonly isError?: boolean;
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const wav = Buffer.concat([Buffer.from('RIFF\x10\0\0\0WAVEfmt '), Buffer.alloc(8)]);
const picture = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: png.toString('base64') },
};
const pictureAndPlace = [picture, shown(/^\[Image: source: .*\.png\]$/)];

function shown(words: string | RegExp): unknown {
  return { type: 'text', text: typeof words === 'string' ? words : (expect.stringMatching(words) as string) };
}

function makeCycle(): object {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  return cycle;
}

const kinds: Readonly<Record<string, ResultKind>> = {
  'a text': { returns: () => 'plain', seen: [shown('plain')] },
  'a number': { returns: () => 42, seen: [shown('42')] },
  'an object': { returns: () => ({ a: [1, 2] }), seen: [shown('{"a":[1,2]}')] },
  nothing: { returns: () => undefined, seen: [shown('The tool completed with no output.')] },
  'an empty text': { returns: () => '', seen: [shown('The tool completed with no output.')] },
  blocks: {
    returns: () => ({ content: [shown('one'), shown('two')] }),
    seen: [shown('one'), shown('two')],
  },
  'a picture': { returns: () => image(png), seen: pictureAndPlace, seenByOld: [picture] },
  'the bytes of a picture': { returns: () => png, seen: pictureAndPlace, seenByOld: [picture] },
  // The older CLI drops sounds without a word.
  'a sound': {
    returns: () => audio(wav),
    seen: [shown(/^\[Audio from demo\] .* saved to .*\.wav$/)],
    seenByOld: [],
  },
  'a resource': {
    returns: () => resource({ uri: 'demo://1', text: 'inside' }),
    seen: [shown('[Resource from demo at demo://1] inside')],
  },
  'a binary resource': {
    returns: () => resource({ uri: 'demo://2', data: new Uint8Array([1, 2, 3, 4]) }),
    seen: [shown(/^\[Resource from demo at demo:\/\/2\] Binary content .* 4 bytes\) saved to /)],
    seenByOld: [shown(/^\[Resource from demo at demo:\/\/2\] Base64 data .* AQIDBA==$/)],
  },
  'a link': {
    returns: () => ({
      content: [{ type: 'resource_link', uri: 'demo://3', name: 'third', description: 'far' }],
    }),
    seen: [shown('[Resource link: third] demo://3 (far)')],
  },
  'structured content': {
    returns: () => ({ content: [shown('hidden')], structuredContent: { shown: true } }),
    seen: '{"shown":true}',
  },
  'facts for the host': { returns: () => ({ content: [shown('x')], _meta: { a: 1 } }), seen: [shown('x')] },
  'an error': {
    returns: () => new Error('went wrong', { cause: new Error('bad luck') }),
    seen: 'went wrong\nCaused by: bad luck',
    isError: true,
  },
  'a throw': {
    returns: () => {
      throw new Error('thrown');
    },
    seen: 'thrown',
    isError: true,
  },
  'an error result': {
    returns: () => ({ content: [shown('one'), shown('two')], isError: true }),
    seen: 'one\ntwo',
    seenByOld: 'one',
    isError: true,
  },
  'an error result without a word': {
    returns: () => ({ content: [], isError: true }),
    seen: 'Unknown error',
    isError: true,
  },
  'a picture the API would refuse': {
    returns: () => ({ content: [{ type: 'image', data: 'PHN2Zy8+', mimeType: 'image/svg+xml' }] }),
    seen: expect.stringContaining('image/svg+xml, which the API refuses'),
    isError: true,
  },
  'a block of no known type': {
    returns: () => ({ content: [{ type: 'hologram' }] }),
    seen: expect.stringContaining('"hologram"'),
    isError: true,
  },
  'what JSON cannot hold': {
    returns: makeCycle,
    seen: expect.stringContaining('cannot be JSON'),
    isError: true,
  },
};

async function giveEveryKind(cli: Cli): Promise<void> {
  const names = Object.keys(kinds);
  const script = [...names.map((name) => toolUse('mcp__demo__give', { name })), text('Done.')];
  const give = tool('give', 'Gives', { name: 'string' }, ({ name }) => kinds[name]?.returns());
  const mcpServers = { demo: createSdkMcpServer({ name: 'demo', tools: [give] }) };
  await onStage(cli, { script, options: { mcpServers, allowedTools: ['mcp__demo'] } }, async (stage) => {
    expect((await readRest(stage.start('Go.').query)).error).toBeUndefined();
    const received = stage.model.conversation
      .slice(1)
      .map(({ toolResults: [result] }, index) => [names[index], result?.content, result?.isError]);
    const expected = Object.entries(kinds).map(([name, { seen, seenByOld = seen, isError = false }]) => [
      name,
      cli.isOld ? seenByOld : seen,
      isError,
    ]);
    expect(received).toEqual(expected);
  });
}

async function giveALot(cli: Cli): Promise<void> {
  const sizes = [1_000_000, 8_000_000];
  const script = [
    ...sizes.map((size) => toolUse('mcp__demo__give', { size })),
    toolUse('mcp__demo__show', { size: 400_000 }),
    toolUse('mcp__demo__fail', { size: 1_000_000 }),
    text('Done.'),
  ];
  const schema = { size: 'number' } as const;
  const tools = [
    tool('give', 'Gives much', schema, ({ size }) => 'm'.repeat(size)),
    tool('show', 'Shows much', schema, ({ size }) => 'm'.repeat(size), { maxResultChars: 500_000 }),
    tool('fail', 'Fails at length', schema, ({ size }) => errorResult('e'.repeat(size))),
  ];
  const mcpServers = { demo: createSdkMcpServer({ name: 'demo', tools }) };
  await onStage(cli, { script, options: { mcpServers, allowedTools: ['mcp__demo'] } }, async (stage) => {
    const { query, warnings } = stage.start('Go.');
    expect((await readRest(query)).error).toBeUndefined();
    const results = stage.model.conversation.slice(1).map(({ toolResults: [result] }) => result);
    const [one, eight, whole, failed] = results;
    for (const [index, result] of [one, eight].entries()) {
      expect(result?.isError).toBe(false);
      const file = /saved to (\S+\.txt)/.exec(result?.text ?? '')?.[1] ?? '';
      expect(readFileSync(file, 'utf8').match(/m{2,}/)?.[0].length).toBe(sizes[index]);
    }
    expect(warnings.map(({ code }) => code)).toEqual(['TOOL_RESULT_TO_FILE', 'TOOL_RESULT_TO_FILE']);
    // The older CLI does not know the hint and saves this one, too.
    if (cli.isNew) expect(whole?.text).toBe('m'.repeat(400_000));
    else expect(whole?.text).toContain('exceeds maximum allowed tokens');
    // The CLI cuts an error from the middle.
    expect(failed?.isError).toBe(true);
    expect(failed?.text.length).toBeLessThan(20_000);
  });
}

export const toolResultCases: CaseSet = {
  'gives results of every kind': giveEveryKind,
  'gives results of any size': giveALot,
};
