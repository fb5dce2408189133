// Turns the result of a tool into the form that a page shows: text as the output of the call, images and documents as files
// beside it. The stream and the history both use this file.
import { isRecord } from '@inboard/core/util/guards.js';

/** A file in the result of a tool, as a data: URL or a web address. */
export interface OutputFile {
  url: string;
  mediaType: string;
}

/** The result of a call, for a page. */
export interface ToolOutput {
  text: string;
  files: OutputFile[];
}

/**
 * The beginning of a text that the CLI adds to an image. The text names a copy of the image on the CLI's disk, and is of no use
 * to a page.
 */
const IMAGE_COPY = '[Image: source:';

/** Reads the content of a `tool_result`, which is a text or a list of blocks. */
export function readToolOutput(content: unknown): ToolOutput {
  if (typeof content === 'string') return { text: content, files: [] };
  const blocks = Array.isArray(content) ? content.filter(isRecord) : [];
  const files = blocks.flatMap((block) => readFile(block) ?? []);
  const texts = blocks.flatMap((block) => describeBlock(block, files.length > 0) ?? []);
  return { text: texts.join('\n'), files };
}

function describeBlock(block: Record<string, unknown>, hasFiles: boolean): string | undefined {
  const { type, text, tool_name: tool, title } = block;
  if (type === 'text' && typeof text === 'string')
    return hasFiles && text.startsWith(IMAGE_COPY) ? undefined : text;
  if (type === 'tool_reference' && typeof tool === 'string') return tool;
  if (type === 'search_result' && typeof title === 'string') return title;
  // A file is named in the text, for pages that show only the text.
  const file = readFile(block);
  return file && `[${file.mediaType}]`;
}

function readFile({ type, source }: Record<string, unknown>): OutputFile | undefined {
  if ((type !== 'image' && type !== 'document') || !isRecord(source)) return undefined;
  const { type: kind, media_type: mediaType, data, url } = source;
  if (kind === 'base64' && typeof mediaType === 'string' && typeof data === 'string')
    return { mediaType, url: `data:${mediaType};base64,${data}` };
  if (kind === 'url' && typeof url === 'string')
    return { mediaType: type === 'image' ? 'image/*' : 'application/pdf', url };
  return undefined;
}
