// `inboard trace`: shows a recorded run, or replays it.
import { closeSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildTimeline, readTrace } from '@inboard/inboard/trace.js';
import { openPrivateFile } from '@inboard/core/util/private-file.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import { findNearestName } from '@inboard/core/util/nearest-name.js';
import { readText, type CommandInput } from '../command.js';
import { printDocument, printLine } from '../terminal/terminal.js';
import { CommandError, EXIT_CODES, UsageError } from '../terminal/usage-error.js';
import { replayTrace } from './replay-trace.js';
import { RENDERERS, type TraceRenderer } from './trace-renderers.js';

/** Replays a trace, or shows it with the renderer that the first argument names. */
export async function runTrace(input: CommandInput): Promise<number> {
  const [action = '', path = ''] = input.args;
  const file = resolve(input.terminal.cwd, path);
  if (action === 'replay') return replayTrace(input, file);
  const renderer = Object.hasOwn(RENDERERS, action) ? RENDERERS[action] : undefined;
  if (renderer) return showTrace(input, file, renderer);
  const actions = [...Object.keys(RENDERERS), 'replay'];
  const nearest = findNearestName(action, actions);
  const hint = nearest === undefined ? `Use one of: ${actions.join(', ')}.` : `Did you mean "${nearest}"?`;
  throw new UsageError(`There is no "trace ${action}". ${hint}`);
}

async function showTrace(input: CommandInput, file: string, renderer: TraceRenderer): Promise<number> {
  const { terminal } = input;
  const [, given = file] = input.args;
  const text = renderer.render(buildTimeline(await readTrace(file, terminal)), input, given);
  const chosen = renderer.isForTerminal ? undefined : readText(input, 'output');
  const output = chosen ?? renderer.defaultOutput(file);
  if (output === '-') {
    printDocument(terminal, text);
  } else {
    const path = resolve(terminal.cwd, output);
    writePrivately(path, text);
    printLine(terminal, path);
  }
  return EXIT_CODES.ok;
}

// Writes a file that only this user can read, because it contains what the trace contains. The user may not have chosen
// its name, so a symbolic link of that name is not followed.
function writePrivately(path: string, text: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openPrivateFile(path, { followsLinks: false });
    writeFileSync(descriptor, text);
  } catch (cause) {
    const isLink = (cause as NodeJS.ErrnoException).code === 'ELOOP';
    const why = isLink ? 'it is a symbolic link, which is not followed' : messageOf(cause);
    throw new CommandError('NOT_WRITTEN', `${path} was not written: ${why}. Choose a file with --output.`, {
      cause,
    });
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
