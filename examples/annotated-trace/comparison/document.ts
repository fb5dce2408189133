// The document's table as data, in the words that Inboard's timeline has for the same things.
import { readFile } from 'node:fs/promises';
import type { TimelineRow } from 'inboard/trace';

/**
 * One row of a table: the document's, or ours. `time` is as the source has it, `at` the same in milliseconds since the CLI
 * turned to the tool server, `says` the document's wording or the frame's content.
 */
export type Step = Pick<TimelineRow, 'layer' | 'direction' | 'event'> & {
  time: string;
  at: number | undefined;
  says: string;
};
const FILE = new URL('../fixtures/document-timeline.md', import.meta.url);

/** What the document calls a thing, and what we call it. */
const WORDS: Readonly<Record<string, string>> = {
  'initialize response': 'mcp initialize answer',
  acknowledgement: 'mcp notifications/initialized answer',
  'tools/list response': 'mcp tools/list answer',
  'tools/call response': 'mcp tools/call answer',
  'can_use_tool (permission check)': 'control can_use_tool',
  'allow response': 'control can_use_tool answer',
  'SystemMessage/init': 'message system/init',
  'User message (stdin)': 'message user',
  'AssistantMessage (ToolUseBlock)': 'message assistant (tool_use)',
  'UserMessage (ToolResultBlock)': 'message user (tool_result)',
  'AssistantMessage (TextBlock)': 'message assistant',
  'ResultMessage (success)': 'message result/success',
};

/** Reads the quoted table; throws where a row says something that has no counterpart here. */
export async function readDocument(file: URL | string = FILE): Promise<Step[]> {
  const rows = (await readFile(file, 'utf8')).split('\n').filter((line) => /^\| (?!Time|-)/.test(line));
  return rows.map((line) => {
    const [, time = '', , direction = '', quoted = ''] = line.split('|').map((cell) => cell.trim());
    const says = quoted.replaceAll('`', '');
    const thing = says.replace(/ \(2nd(?: time)?\)$/, '');
    const words = WORDS[thing] ?? thing.replace(/^mcp_message: /, 'mcp ');
    if (words === thing) throw new Error(`The document says "${says}", which has no counterpart here.`);
    const [, layer, event = ''] = /^(\w+) (.+)$/.exec(words) ?? [];
    const from = direction.startsWith('CLI') ? 'cli-to-host' : 'host-to-cli';
    const at = /\d/.test(time) ? Number(time.replace('~', '')) : undefined;
    return { time, at, says, event, layer: layer as Step['layer'], direction: from };
  });
}
