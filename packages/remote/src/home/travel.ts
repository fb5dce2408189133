// Prepares the data that is sent to the other host with a start: arguments, variables and files. A variable that has the same
// value in this process stays here, unless the caller named it. It may hold a secret that is not meant for the other host.
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import type { Writable } from 'node:stream';
import { fitsPieces } from '@inboard/core/util/wildcards.js';
import type { TransportRequest } from '@inboard/core/wire/transport/transport.js';
import { placeholderOf, type SentFile, type Start } from '../wire/messages.js';

/** A start, and the files of this machine that belong to it, in the order of `start.files`. */
export interface Travel {
  start: Start;
  paths: readonly string[];
}

/**
 * Variables that this library itself sets. They are always sent, even if this process has them with the same value, because
 * they reveal nothing about this machine.
 */
const OWN_VARIABLES = new Set([
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_AGENT_SDK_VERSION',
  'CLAUDE_CODE_SDK_READS_SESSION_STATE',
  'CLAUDE_CODE_RESUME_INTERRUPTED_TURN',
  'CLAUDE_CODE_RESUME_SHOWS_CUT_OFF_CALLS',
]);

/** Finds the files of a start, and builds the start. Rejects if a file cannot be read. */
export async function planTravel(request: TransportRequest, asked: readonly string[]): Promise<Travel> {
  const { args, cwd, files = [], restored } = request;
  const session = restored ? await listFiles(restored.projectDir) : [];
  const paths = [...files, ...session];
  const sent: SentFile[] = [];
  for (const [index, path] of paths.entries()) {
    const { size } = await stat(path);
    const isArgument = index < files.length;
    sent.push({
      kind: isArgument ? 'argument' : 'session',
      path:
        isArgument || !restored ? basename(path) : relative(restored.projectDir, path).split(sep).join('/'),
      size,
    });
  }
  const placed = args.map((word) => {
    const index = files.indexOf(word);
    return index < 0 ? word : placeholderOf(index);
  });
  const env = chooseVariables(request, asked);
  return { start: { args: placed, env, cwd, files: sent }, paths };
}

/** The CLI's variables that differ from those of this process, those that the caller named, and those of this library. */
export function chooseVariables(
  { env, restored, hostEnv: own = process.env }: Pick<TransportRequest, 'env' | 'restored' | 'hostEnv'>,
  asked: readonly string[],
): Record<string, string> {
  const patterns = asked.map((name) => name.split('*'));
  const chosen: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    // This variable names the folder of a restored session on this machine. The other host makes its own folder.
    if (value === undefined || (restored && name === 'CLAUDE_CONFIG_DIR')) continue;
    const isAsked = patterns.some((pieces) => fitsPieces(pieces, name));
    if (isAsked || OWN_VARIABLES.has(name) || own[name] !== value) chosen[name] = value;
  }
  return chosen;
}

/** Sends the contents of the files one after the other. Rejects if a file cannot be read. */
export async function sendFiles(paths: readonly string[], stream: Writable): Promise<void> {
  for (const path of paths) {
    for await (const chunk of createReadStream(path)) {
      if (stream.destroyed) return;
      if (!stream.write(chunk)) await drained(stream);
    }
  }
  stream.end();
}

function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) {
      resolve();
      return;
    }
    stream.once('drain', resolve);
    stream.once('close', resolve);
  });
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
