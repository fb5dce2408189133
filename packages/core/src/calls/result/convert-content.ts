// Converts the blocks of an MCP result to blocks for the model, one row per kind of block.
import type {
  AudioContent,
  EmbeddedResource,
  ImageContent,
  ResourceLink,
  TextContent,
  ToolContent,
} from '../../answer/mcp/result/tool-content.js';
import { describeSaved, isShowable, showImage, type BinaryContext } from './show-image.js';
import type { ShownBlock } from './shown-result.js';

/** What is needed to convert a block: the context for binary content, and the server that gave the result. */
export interface ContentContext extends BinaryContext {
  server: string;
}

type Converters = {
  [Kind in ToolContent as Kind['type']]: (block: Kind, context: ContentContext) => ShownBlock[];
};

const CONVERTERS: Converters = {
  text: (block) => [text(block.text)],
  image: showImageBlock,
  audio: showAudio,
  resource: showResource,
  resource_link: (link) => [text(describeLink(link))],
};

/** The blocks for the model that one block of a result becomes. The block must be of a known kind. */
export function convertBlock(block: ToolContent, context: ContentContext): ShownBlock[] {
  const convert = CONVERTERS[block.type] as (given: ToolContent, where: ContentContext) => ShownBlock[];
  return convert(block, context);
}

export function describeLink({ name, uri, description }: ResourceLink): string {
  return `[Resource link: ${name}] ${uri}${description ? ` (${description})` : ''}`;
}

function showImageBlock({ data, mimeType }: ImageContent, context: ContentContext): ShownBlock[] {
  const introduction = `[Image from ${context.server}] `;
  // The older CLI sends everything that is declared as an image.
  if (!context.rules.isNew || isShowable(mimeType, context.rules)) {
    return showImage({ data, mimeType }, introduction, context);
  }
  return [text(introduction + describeSaved({ mimeType }, Buffer.from(data, 'base64'), context))];
}

function showAudio({ data, mimeType }: AudioContent, context: ContentContext): ShownBlock[] {
  // The older CLI drops sounds silently.
  if (!context.rules.isNew) return [];
  const saved = describeSaved({ mimeType }, Buffer.from(data, 'base64'), context);
  return [text(`[Audio from ${context.server}] ${saved}`)];
}

function showResource({ resource }: EmbeddedResource, context: ContentContext): ShownBlock[] {
  const introduction = `[Resource from ${context.server} at ${resource.uri}] `;
  if ('text' in resource) return [text(introduction + resource.text)];
  const { blob, mimeType } = resource;
  if (isShowable(mimeType, context.rules)) {
    return [text(introduction), ...showImage({ data: blob, mimeType }, introduction, context)];
  }
  if (!context.rules.isNew)
    return [text(`${introduction}Base64 data (${mimeType || 'unknown type'}) ${blob}`)];
  return [text(introduction + describeSaved({ mimeType }, Buffer.from(blob, 'base64'), context))];
}

function text(words: TextContent['text']): ShownBlock {
  return { type: 'text', text: words };
}
