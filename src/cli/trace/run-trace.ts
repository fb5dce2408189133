// `inboard trace`: shows a recorded run, or replays it.
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buildTimeline, readTrace } from '../../doors/trace.js';
import { findNearestName } from '../../util/nearest-name.js';
import { readText, type CommandInput } from '../command.js';
import { printLine } from '../terminal/terminal.js';
import { EXIT_CODES, UsageError } from '../terminal/usage-error.js';
import { replayTrace } from './replay-trace.js';
import { RENDERERS, type TraceRenderer } from './trace-renderers.js';

/** Replays a trace, or shows it with the renderer of that name. */
export async function runTrace(input: CommandInput): Promise<number> {
  const [action = '', path = ''] = input.args;
  const file = resolve(input.terminal.cwd, path);
  if (action === 'replay') return replayTrace(input, file);
  const renderer = Object.hasOwn(RENDERERS, action) ? RENDERERS[action] : undefined;
  if (renderer) return showTrace(input, file, renderer);
  const actions = [...Object.keys(RENDERERS), 'replay'];
  const nearest = findNearestName(action, actions);
  const hint = nearest === undefined ? `There are: ${actions.join(', ')}.` : `Did you mean "${nearest}"?`;
  throw new UsageError(`There is no "trace ${action}". ${hint}`);
}

async function showTrace(input: CommandInput, file: string, renderer: TraceRenderer): Promise<number> {
  const { terminal } = input;
  const text = renderer.render(buildTimeline(await readTrace(file)), input);
  const chosen = renderer.isForTerminal ? undefined : readText(input, 'output');
  const output = chosen ?? renderer.defaultOutput(file);
  if (output === '-') {
    terminal.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  } else {
    const path = resolve(terminal.cwd, output);
    await writeFile(path, text);
    printLine(terminal, path);
  }
  return EXIT_CODES.ok;
}
