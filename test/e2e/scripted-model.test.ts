// The scripted model and the isolated environment under the real CLI, driven by hand over NDJSON so that
// nothing of the SDK can hide a fault. One process per version goes through everything.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import {
  apiError,
  createIsolatedEnvironment,
  cut,
  gate,
  held,
  reply,
  startScriptedModel,
  text,
  thinking,
  toolUse,
} from '../../packages/inboard/src/testing.js';
import { commandOf } from '../../packages/core/test/options/open-real-cli.js';
import { allClis } from './support/cli.js';

type Line = Record<string, unknown>;

const versions = allClis.map((tested) => ({ tested, version: tested.version, command: commandOf(tested) }));

/** A CLI that is spoken to line by line. */
class SpokenCli {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  #stderr = '';

  constructor(command: readonly string[], options: { env: Record<string, string>; cwd: string }) {
    const flags = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'];
    const more = ['--include-partial-messages', '--allowedTools', 'Bash'];
    const [program = '', ...first] = command;
    this.#child = spawn(program, [...first, ...flags, ...more], { ...options, stdio: 'pipe' });
    this.#child.stderr?.on('data', (chunk) => (this.#stderr += String(chunk)));
    this.#lines = createInterface({ input: this.#child.stdout as NodeJS.ReadableStream })[
      Symbol.asyncIterator
    ]();
  }

  send(line: Line): void {
    this.#child.stdin?.write(`${JSON.stringify(line)}\n`);
  }

  ask(content: string): void {
    this.send({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' });
  }

  /** Reads up to the first line that fits, and gives all of them. */
  async readUntil(fits: (line: Line) => boolean): Promise<Line[]> {
    const read: Line[] = [];
    for (;;) {
      const { done, value } = await this.#lines.next();
      if (done === true) throw new Error(`The CLI ended early. ${this.#stderr}`);
      const line = JSON.parse(value) as Line;
      read.push(line);
      if (fits(line)) return read;
    }
  }

  async readTurn(): Promise<{ lines: Line[]; result: Line }> {
    const lines = await this.readUntil((line) => line['type'] === 'result');
    return { lines, result: lines.at(-1) ?? {} };
  }

  async end(): Promise<unknown> {
    this.#child.stdin?.end();
    const [code] = (await once(this.#child, 'close')) as [number | null];
    return code;
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await closed;
  }
}

function readBlocks(lines: readonly Line[], type: string): Line[] {
  return lines
    .filter((line) => line['type'] === type)
    .flatMap((line) => (line['message'] as { content: Line[] }).content);
}

describe.concurrent.each(versions)('the scripted model under CLI $version', ({ tested, command }) => {
  it('plays its part in every kind of turn', async ({ onTestFinished }) => {
    const door = gate();
    const usage = {
      input_tokens: 11,
      output_tokens: 22,
      cache_creation_input_tokens: 33,
      cache_read_input_tokens: 44,
    };
    const model = await startScriptedModel({
      countTokens: 321,
      script: [
        apiError(529, { retryAfter: 0 }),
        reply(
          thinking(['Let me ', 'see.'], 'c2ln'),
          text('Looking.'),
          toolUse('Bash', { command: 'echo $HOME' }),
          { usage },
        ),
        (request) => reply(text(['It is ', request.toolResults[0]?.text ?? 'nowhere']), { usage }),
        cut(text(['half ', 'an answer']), { insideBlock: 0 }),
        text('whole'),
        held(text(['par', 'tial']), { until: door, at: { insideBlock: 0 } }),
      ],
    });
    onTestFinished(() => model.close({ verify: false }));
    const place = await createIsolatedEnvironment({
      baseUrl: model.url,
      extra: { CLAUDE_CODE_MAX_RETRIES: '2' },
    });
    onTestFinished(() => place.remove());
    const cli = new SpokenCli(command, { env: place.env, cwd: place.cwd });
    onTestFinished(() => cli.kill());

    // An error and its repetition; thinking, text and a tool in one message; usage up to the result.
    cli.send({ type: 'control_request', request_id: 'init', request: { subtype: 'initialize' } });
    cli.ask('Where do you live?');
    const first = await cli.readTurn();
    expect(first.result).toMatchObject({
      subtype: 'success',
      is_error: false,
      result: `It is ${place.home}`,
    });
    expect(first.result['usage']).toMatchObject({
      input_tokens: 22,
      output_tokens: 44,
      cache_creation_input_tokens: 66,
      cache_read_input_tokens: 88,
    });
    expect(readBlocks(first.lines, 'assistant')).toEqual(
      [
        { type: 'thinking', thinking: 'Let me see.', signature: 'c2ln' },
        { type: 'text', text: 'Looking.' },
        { type: 'tool_use', id: 'toolu_scripted_0001', name: 'Bash', input: { command: 'echo $HOME' } },
        { type: 'text', text: `It is ${place.home}` },
      ].map((block) => expect.objectContaining(block) as Line),
    );
    expect(readBlocks(first.lines, 'user')).toMatchObject([{ type: 'tool_result', content: place.home }]);

    // A stream that breaks: both versions ask again, the older one for a whole message.
    cli.ask('And now?');
    expect((await cli.readTurn()).result).toMatchObject({ is_error: false, result: 'whole' });
    expect(model.conversation.map((request) => request.outcome)).toEqual([
      'answered',
      'answered',
      'answered',
      'cut',
      'answered',
    ]);
    expect(model.conversation[4]?.body.stream ?? false).toBe(tested.isNew);

    // Counting takes no step.
    cli.ask('/context');
    await cli.readTurn();
    const counts = model.requests.filter((request) => request.kind === 'count_tokens');
    expect(counts.length).toBeGreaterThan(0);

    // A gate in the middle of a stream, where the turn is interrupted.
    cli.ask('Take your time.');
    await cli.readUntil((line) => JSON.stringify(line).includes('"text_delta","text":"par"'));
    cli.send({ type: 'control_request', request_id: 'stop', request: { subtype: 'interrupt' } });
    expect((await cli.readTurn()).result).toMatchObject({ subtype: 'error_during_execution' });
    expect(await (await door.reached).settled).toBe('disconnected');
    model.verify();

    // What the CLI asks beside the conversation took no step either: the older one has questions on Bash.
    const aside = model.requests.filter((request) => request.kind === 'side');
    expect(aside.length > 0).toBe(tested.isOld);
    expect(aside.filter((request) => request.outcome !== 'answered')).toEqual([]);

    // A request too many is asked once, seen in the result, and fails the model.
    cli.ask('One more.');
    expect((await cli.readTurn()).result).toMatchObject({
      is_error: true,
      result: expect.stringContaining('all 6 steps of script are used up') as string,
    });
    expect(await cli.end()).toBe(1);
    const failure = await model.close().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'SCRIPT_MISMATCH' });
    expect((failure as { problems: string[] }).problems).toHaveLength(1);
    expect(new Set(model.conversation.map((request) => request.sessionId)).size).toBe(1);

    // Everything the CLI wrote is inside the folders, and goes with them.
    expect(await readdir(join(place.configDir, 'projects'))).toHaveLength(1);
    await place.remove();
    expect(existsSync(place.home)).toBe(false);
  });
});
