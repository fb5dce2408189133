// Turns: what is asked, what the model receives, what comes back.
import { expect } from 'vitest';
import { z } from 'zod';
import { createLineSplitter } from '../../../packages/core/src/wire/protocol/line-splitter.js';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { gate, held, reply, run, text, thinking, toolUse } from '../support/inboard.js';
import type { SDKMessage, SDKUserMessage } from '../support/inboard.js';
import { onStage } from '../support/stage.js';
import { ask, kindsOf, openTalk, readRest, readUntil, resultsOf, textsOf } from '../support/talk.js';

async function answerText(cli: Cli): Promise<void> {
  await onStage(cli, { script: [text('Hello there.')] }, async (stage) => {
    const { query, wire, warnings } = stage.start('Hi');
    const { messages, error } = await readRest(query);
    expect(error).toBeUndefined();
    expect(kindsOf(messages)).toEqual(['system/init', 'assistant', 'result/success']);
    expect(textsOf(messages)).toEqual(['Hello there.']);
    expect(messages[0]).toMatchObject({ claude_code_version: cli.version, cwd: stage.home.cwd });
    expect(stage.lastRequest().userText).toContain('Hi');
    expect(new Set(messages.map((message) => message.session_id))).toEqual(
      new Set([stage.lastRequest().sessionId]),
    );
    expect(wire.entries.slice(0, 2).map(({ from, line }) => [from, line['type']])).toEqual([
      ['host', 'control_request'],
      ['host', 'user'],
    ]);
    expect(warnings).toEqual([]);
  });
}

async function runToAnOutcome(cli: Cli): Promise<void> {
  const usage = { input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 7 };
  await onStage(cli, { script: [reply(thinking('Hm.'), text('Fine.'), { usage })] }, async (stage) => {
    const seen: SDKMessage[] = [];
    const outcome = await run({
      prompt: 'How are you?',
      options: stage.options(),
      onMessage: (message) => void seen.push(message),
    });
    expect(outcome).toMatchObject({ ok: true, kind: 'ok', text: 'Fine.', turns: 1, usage });
    expect(outcome.turnCostUsd).toBeGreaterThan(0);
    expect(outcome.sessionId).toBe(stage.lastRequest().sessionId);
    expect(outcome.all).toHaveLength(1);
    const blocks = seen.flatMap((message) => (message.type === 'assistant' ? message.message.content : []));
    expect(blocks).toMatchObject([
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'Fine.' },
    ]);
  });
}

async function streamPartialMessages(cli: Cli): Promise<void> {
  const door = gate();
  const script = [held(text(['one ', 'two ', 'three']), { until: door, at: { insideBlock: 0 } })];
  await onStage(cli, { script, options: { includePartialMessages: true } }, async ({ start }) => {
    const { query, wire } = start('Count.');
    // The first piece is here while the rest is not yet written.
    const early = await readUntil(query, (message) => deltasOf([message]).length > 0);
    expect(deltasOf(early)).toEqual(['one ']);
    expect(textsOf(early)).toEqual([]);
    door.open();
    const { messages, error } = await readRest(query);
    expect(error).toBeUndefined();
    expect(deltasOf(messages)).toEqual(['two ', 'three']);
    expect(textsOf(messages)).toEqual(['one two three']);
    const events = [...early, ...messages].flatMap((message) =>
      message.type === 'stream_event' ? message.event.type : [],
    );
    expect(events[0]).toBe('message_start');
    expect(events.at(-1)).toBe('message_stop');
    // In the form in which they can be left undecoded, which `piece-run` must know.
    const lines = wire.entries.flatMap(({ from, line }) => (from === 'cli' ? JSON.stringify(line) : []));
    expect(countPieces(lines)).toBe(2);
  });
}

/** How many of the lines are taken for pieces like the one before them. */
function countPieces(lines: readonly string[]): number {
  let count = 0;
  const onPiece = (): boolean => (count += 1) > 0;
  const splitter = createLineSplitter({ onLine: () => {}, onPiece, onOversized: () => {} });
  splitter.push(Buffer.from(`${lines.join('\n')}\n`));
  return count;
}

/** Nothing looks at the lines on their way, so that the pieces come undecoded. */
async function streamPieces(cli: Cli): Promise<void> {
  const pieces = Array.from({ length: 50 }, (_, index) => `“${index}”\n`);
  await onStage(cli, { script: [text(pieces)] }, async (stage) => {
    const seen: SDKMessage[] = [];
    const { ok } = await run({
      prompt: 'Count.',
      options: { ...stage.options(), includePartialMessages: true },
      onMessage: (message) => void seen.push(message),
    });
    expect(ok).toBe(true);
    expect(deltasOf(seen).join('')).toBe(pieces.join(''));
    const partial = seen.filter(({ type }) => type === 'stream_event');
    expect(new Set(partial.map(({ session_id }) => session_id))).toEqual(
      new Set([stage.lastRequest().sessionId]),
    );
    expect(new Set(partial.map(({ uuid }) => uuid)).size).toBe(partial.length);
  });
}

function deltasOf(messages: readonly SDKMessage[]): string[] {
  return messages.flatMap((message) =>
    message.type === 'stream_event' &&
    message.event.type === 'content_block_delta' &&
    message.event.delta.type === 'text_delta'
      ? message.event.delta.text
      : [],
  );
}

/** Each turn is asked after the one before has been answered, in one process; then the prompt ends and so does the query. */
export async function talkInTurns(cli: Cli): Promise<void> {
  const script = ['Uno', 'Dos', 'Tres'].map((word) => text(word));
  await onStage(cli, { script }, async (stage) => {
    let answered: () => void = () => {};
    async function* prompt(): AsyncGenerator<SDKUserMessage> {
      for (const words of ['First', 'Second', 'Third']) {
        const answer = new Promise<void>((resolve) => {
          answered = resolve;
        });
        yield { type: 'user', message: { role: 'user', content: words }, parent_tool_use_id: null };
        await answer;
      }
    }
    const { query } = stage.start(prompt());
    const messages: SDKMessage[] = [];
    for await (const message of query) {
      messages.push(message);
      if (message.type === 'result') answered();
    }
    expect(resultsOf(messages)).toMatchObject([{ result: 'Uno' }, { result: 'Dos' }, { result: 'Tres' }]);
    expect(new Set(messages.map((message) => message.session_id)).size).toBe(1);
    const spoken = stage.lastRequest().messages.map(({ role }) => role);
    expect(spoken.filter((role) => role !== 'system')).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
    expect(stage.lastRequest().userText).toMatch(/First[^]*Second[^]*Third/);
  });
}

async function answerThreeAtOnce(cli: Cli): Promise<void> {
  await onStage(cli, { onExhausted: text('Noted.') }, async (stage) => {
    const { query, wire } = stage.start(['Apples', 'Pears', 'Plums']);
    const { messages, error } = await readRest(query);
    expect(error).toBeUndefined();
    const results = resultsOf(messages);
    expect(results.every((result) => result.subtype === 'success')).toBe(true);
    // The older CLI answers one by one, the newer one takes together what has come.
    if (cli.isOld) expect(results).toHaveLength(3);
    expect(results.length).toBeLessThanOrEqual(3);
    expect(stage.lastRequest().userText).toMatch(/Apples[^]*Pears[^]*Plums/);
    const written = wire.entries.filter(({ from, line }) => from === 'host' && line['type'] === 'user');
    expect(written.map(({ line }) => 'uuid' in line)).toEqual([false, false, false]);
  });
}

async function addToARunningTalk(cli: Cli): Promise<void> {
  await onStage(cli, { script: [text('One.'), text('Two.'), text('Three.')] }, async (stage) => {
    const talk = openTalk();
    const act = stage.start(talk.prompt);
    expect((await ask(act, talk, 'Say one.')).result).toMatchObject({ result: 'One.' });
    // A second source comes and goes; the first is still open and so is the session.
    const fed = act.query.streamInput(['Say two.']);
    expect((await readUntil(act.query, isResult)).at(-1)).toMatchObject({ result: 'Two.' });
    await fed;
    expect((await ask(act, talk, 'Say three.')).result).toMatchObject({ result: 'Three.' });
    talk.end();
    expect(await readRest(act.query)).toMatchObject({ error: undefined });
  });
}

/** The prompt was a string, so nothing but the consumer keeps the input open. */
async function answerTheResult(cli: Cli): Promise<void> {
  const results = ['One.', 'Two.'];
  await onStage(cli, { script: results.map((word) => text(word)) }, async (stage) => {
    const { query, wire } = stage.start('Say one.', { canUseTool: () => Promise.resolve(null) });
    const seen: unknown[] = [];
    for await (const message of query) {
      if (message.type !== 'result') continue;
      seen.push('result' in message && message.result);
      if (seen.length === 1) await query.streamInput('Say two.');
      else break;
    }
    expect(seen).toEqual(results);
    expect(wire.requests('host', 'interrupt')).toEqual([]);
  });
}

function isResult(message: SDKMessage): boolean {
  return message.type === 'result';
}

async function useABuiltInTool(cli: Cli): Promise<void> {
  const script = [toolUse('Bash', { command: 'echo built$((40+2))' }), text('Done.')];
  await onStage(cli, { script, options: { allowedTools: ['Bash'] } }, async (stage) => {
    const { query, wire } = stage.start('Run it.');
    const { messages } = await readRest(query);
    expect(resultsOf(messages)).toMatchObject([{ subtype: 'success', result: 'Done.', num_turns: 2 }]);
    expect(stage.lastRequest().toolResults).toMatchObject([{ text: 'built42', isError: false }]);
    expect(wire.requests('cli', 'can_use_tool')).toEqual([]);
  });
}

async function giveStructuredOutput(cli: Cli): Promise<void> {
  const schema = {
    type: 'object',
    properties: { city: { type: 'string' }, people: { type: 'integer' } },
    required: ['city', 'people'],
  };
  const answer = { city: 'Lund', people: 94_000 };
  const script = [toolUse('StructuredOutput', answer), text('Here it is.')];
  // The newer CLI may stop right after the call; what is left of the script is not the point.
  await onStage(cli, { script: script.slice(0, 1), onExhausted: script[1] }, async (stage) => {
    const outcome = await run({
      prompt: 'Which city?',
      options: stage.options({ outputFormat: { type: 'json_schema', schema } }),
    });
    expect(outcome).toMatchObject({ ok: true, structuredOutput: answer });
    const offered = stage.model.conversation[0]?.body.tools ?? [];
    expect(offered.find(({ name }) => name === 'StructuredOutput')).toMatchObject({
      input_schema: { required: ['city', 'people'] },
    });
  });
}

async function giveCheckedOutput(cli: Cli): Promise<void> {
  const City = z.object({ city: z.string(), since: z.string().transform((day) => new Date(day)) });
  const script = [toolUse('StructuredOutput', { city: 'Lund', since: '0990-01-01' })];
  await onStage(cli, { script, onExhausted: text('Here it is.') }, async (stage) => {
    const { output, ok } = await run({
      prompt: 'Which city?',
      options: { ...stage.options(), output: City },
    });
    expect(ok).toBe(true);
    expect(output.since.getUTCFullYear()).toBe(990);
  });
}

async function giveOutputOfALaterDraft(cli: Cli): Promise<void> {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      mail: { type: 'string', format: 'email' },
      at: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false },
    },
    required: ['mail', 'at'],
  };
  const answer = { mail: 'a@b.se', at: [1, 2] };
  const script = [toolUse('StructuredOutput', answer)];
  await onStage(cli, { script, onExhausted: text('Here it is.') }, async (stage) => {
    const { output } = await run({
      prompt: 'Where?',
      options: { ...stage.options(), output: schema },
    });
    expect(output).toEqual(answer);
    const offered = stage.model.conversation[0]?.body.tools ?? [];
    const numbers = [{ type: 'number' }, { type: 'number' }];
    const mail = cli.isOld
      ? { type: 'string', description: expect.stringContaining('"format":"email"') as string }
      : { type: 'string', format: 'email' };
    expect(offered.find(({ name }) => name === 'StructuredOutput')?.['input_schema']).toEqual({
      type: 'object',
      properties: { mail, at: { type: 'array', items: numbers, additionalItems: false } },
      required: ['mail', 'at'],
    });
  });
}

async function suggestPrompts(cli: Cli): Promise<void> {
  if (cli.isOld) {
    await onStage(cli, {}, async ({ start }) => {
      const { error } = await readRest(start('Hi', { promptSuggestions: true }).query);
      expect(error).toMatchObject({ code: 'UNSUPPORTED_OPTION', option: 'promptSuggestions' });
    });
    return;
  }
  const door = gate();
  const script = [text('Hello.'), text('Rain.'), held(text('will it snow tomorrow'), door)];
  await onStage(cli, { script }, async ({ start }) => {
    const talk = openTalk();
    const act = start(talk.prompt, { promptSuggestions: true });
    await ask(act, talk, 'Hi');
    // It suggests nothing before the second turn.
    await ask(act, talk, 'What weather?');
    talk.end();
    await door.reached;
    door.open();
    const { messages, error } = await readRest(act.query);
    expect(error).toBeUndefined();
    expect(messages.at(-1)).toMatchObject({ type: 'prompt_suggestion', suggestion: 'will it snow tomorrow' });
  });
}

export const turnCases: CaseSet = {
  'answers a text': answerText,
  'runs to one outcome': runToAnOutcome,
  'streams partial messages as they are written': streamPartialMessages,
  'streams pieces to whoever looks at nothing else': streamPieces,
  'talks in turns': talkInTurns,
  'answers three messages written at once, and ends': answerThreeAtOnce,
  'takes more input while the prompt is open': addToARunningTalk,
  'takes more input at the result, and is left at the next without an interrupt': answerTheResult,
  'runs a built-in tool that is allowed': useABuiltInTool,
  'gives structured output': giveStructuredOutput,
  'gives the output as its schema makes it': giveCheckedOutput,
  'gives output of a schema the CLI takes only in another form': giveOutputOfALaterDraft,
  'suggests what to ask next': suggestPrompts,
};
