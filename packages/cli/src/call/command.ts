// How `inboard call` is called: its arguments, options and help.
import { JSON_OPTION, TOOLS_FILE, type Command } from '../command.js';
import { loadPart } from '@inboard/core/util/load-part.js';

export const CALL_COMMAND: Command = {
  summary: 'call one tool as a session would: validate its input, apply limits, print MCP content',
  usage: "<tools file> <tool> ['<json>' | -]",
  args: { least: 2, most: 3 },
  options: { json: JSON_OPTION },
  details: [
    ...TOOLS_FILE,
    '',
    'Arguments are a JSON object; "-" reads them from standard input. Default {}.',
  ],
  examples: [
    'inboard call tools.ts count - <args.json',
    `inboard call tools.ts count '{"article":"apples"}'`,
  ],
  load: async () => (await loadPart(() => import('./call-tool.js'))).runCallCommand,
};
