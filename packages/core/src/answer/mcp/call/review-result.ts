// Warns of results that the CLI does not pass on unchanged. The CLI saves long results to a file, and hides text beside
// structured content.
import type { CliLink } from '../binding/cli-link.js';
import type { CompiledTool } from '../tool/compiled-tool.js';
import { DEFAULT_RESULT_CHARS } from '../tool/limits.js';
import type { CallToolResult } from '../result/tool-content.js';
import { isLongerThan } from '../../../util/measure-json.js';

/** A result with more characters than this is long. */
const LONG_RESULT = 1024 * 1024;

/** Warns if the CLI will save the result to a file or hide a part of it. */
export function reviewResult(tool: CompiledTool, result: CallToolResult, link: CliLink): void {
  const limit = tool.maxResultChars ?? DEFAULT_RESULT_CHARS;
  const chars = countResultChars(result);
  if (chars > limit) {
    link.warn({
      code: 'TOOL_RESULT_TO_FILE',
      tool: tool.name,
      message: `The result of the tool "${tool.name}" has ${chars} characters; the limit is ${limit}, so the CLI saves it to a file and shows the model only its beginning. Return less, or raise maxResultChars (at most 500000)`,
    });
  }
  if (result.structuredContent !== undefined && hidesText(result)) {
    link.warn({
      code: 'TOOL_TEXT_HIDDEN',
      tool: tool.name,
      message: `The tool "${tool.name}" returned text as well as structuredContent; the CLI shows the model only the structuredContent`,
    });
  }
}

/** Whether a result is one text within all limits, so that nothing else needs measuring. Nearly all results are. */
export function isBriefText(tool: CompiledTool, { content, structuredContent }: CallToolResult): boolean {
  const block = content[0];
  if (block?.type !== 'text' || content.length !== 1 || structuredContent !== undefined) return false;
  const { length } = block.text;
  return length <= (tool.maxResultChars ?? DEFAULT_RESULT_CHARS) && length <= LONG_RESULT;
}

/** Whether a result has more than about a million characters. Texts and data are not read, only their lengths. */
export function isLongResult({ content, structuredContent }: CallToolResult): boolean {
  let length = 0;
  for (const block of content) {
    if (block.type === 'text') length += block.text.length;
    else if ('data' in block) length += block.data.length;
    else if (isLongerThan(block, LONG_RESULT)) return true;
  }
  if (length > LONG_RESULT) return true;
  return structuredContent !== undefined && isLongerThan(structuredContent, LONG_RESULT);
}

function countResultChars(result: CallToolResult): number {
  let chars = 0;
  for (const block of result.content) {
    if (block.type === 'text') chars += block.text.length;
    else if (block.type === 'resource' && 'text' in block.resource) chars += block.resource.text.length;
  }
  return chars;
}

function hidesText({ content, structuredContent }: CallToolResult): boolean {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  // Without texts there is nothing to compare, and the JSON below may have many megabytes.
  if (texts.length === 0) return false;
  const shown = JSON.stringify(structuredContent);
  return texts.some((text) => text !== shown);
}
