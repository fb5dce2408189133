// Starts a query of either SDK on the recording CLI and tells what reached it, with what differs from run to run
// (ids, and what names the SDK itself) taken out.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as ours from '../../packages/inboard/src/index.js';

/** What the comparison needs of a query. */
export interface AnyQuery extends AsyncIterable<{ type: string }> {
  close(): unknown;
  [method: string]: unknown;
}

/** An SDK, as far as it is compared. */
export interface AnySdk {
  query(input: { prompt: unknown; options: object }): AnyQuery;
  [name: string]: unknown;
}

/** Both SDKs by name. */
export async function loadBoth(): Promise<{ ours: AnySdk; official: AnySdk }> {
  const path = createRequire(import.meta.url).resolve('@anthropic-ai/claude-agent-sdk');
  const official = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as AnySdk;
  return { ours: ours as unknown as AnySdk, official };
}

/** What reached the CLI. */
export interface Recording {
  argv: string[];
  env: Record<string, string>;
  cwd: string;
  lines: string[];
}

/** What a query was, in the end. */
export interface Played<T> {
  recording: Recording | undefined;
  outcome: T;
}

const CLI = fileURLToPath(new URL('recording-cli.mjs', import.meta.url));

/** Plays a query of an SDK on the recording CLI; what is started is closed. */
export async function playQuery<T>(
  sdk: AnySdk,
  input: { prompt: unknown; options: Record<string, unknown>; reply?: object; refusal?: string },
  play: (query: AnyQuery) => Promise<T>,
): Promise<Played<T>> {
  const folder = mkdtempSync(join(tmpdir(), 'inboard-official-'));
  const file = join(folder, 'record.json');
  const given = (input.options['env'] ?? { PATH: process.env['PATH'] }) as Record<string, unknown>;
  const env = {
    PATH: process.env['PATH'],
    ...given,
    RECORD_FILE: file,
    RECORD_REPLY: input.reply && JSON.stringify(input.reply),
    RECORD_REFUSAL: input.refusal,
  };
  const options = {
    pathToClaudeCodeExecutable: CLI,
    ...(sdk.query === (ours.query as unknown) && { claudeCodeVersion: '2.1.325', onWarning: () => {} }),
    ...input.options,
    env,
  };
  try {
    const query = sdk.query({ prompt: input.prompt, options });
    try {
      const outcome = await play(query);
      return { recording: readRecording(file), outcome };
    } finally {
      await query.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readRecording(file: string): Recording | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  const { argv, env, cwd, lines } = JSON.parse(text) as Recording;
  // The mark by which the guardian finds what a CLI has started is ours alone.
  const { RECORD_FILE: _file, INBOARD_MARKS: _marks, ...told } = env;
  return { argv, env: told, cwd, lines: lines.map(hideIds) };
}

function hideIds(line: string): string {
  return line.replaceAll(/"request_id":"[^"]*"/g, '"request_id":"<id>"');
}
