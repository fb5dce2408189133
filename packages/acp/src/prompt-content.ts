// Turns a person's prompt in the editor into a message for the CLI. Texts and images stay as they are. A link becomes text that
// names its target, so that the model can open it.
import { fileURLToPath } from 'node:url';
import type { ContentBlock, EmbeddedResource } from '@agentclientprotocol/sdk';
import { IMAGE_TYPES, isImageType } from '@inboard/core/answer/mcp/result/binary-kind.js';
import type { UserContent } from '@inboard/core/live/input/user-message.js';
import { AcpRefusal } from './acp-refusal.js';

type UserBlock = UserContent[number];

/** The content of a message. Throws an AcpRefusal for an empty prompt, and for content that no model reads. */
export function toUserContent(prompt: readonly ContentBlock[]): UserContent {
  const blocks = prompt.map(toBlock).filter((block) => block.type !== 'text' || block.text !== '');
  if (blocks.length === 0)
    throw new AcpRefusal('invalidParams', 'The prompt is empty. Write something to send.');
  return blocks;
}

function toBlock(block: ContentBlock): UserBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return toImage(block.data, block.mimeType);
    case 'resource_link':
      return { type: 'text', text: `[${block.title ?? block.name}](${placeOf(block.uri)})` };
    case 'resource':
      return toAttachment(block.resource);
    default:
      throw new AcpRefusal(
        'invalidParams',
        `The prompt contains ${block.type}, which this agent cannot read. Send text.`,
      );
  }
}

function toImage(data: string, mimeType: string): UserBlock {
  if (!isImageType(mimeType)) {
    throw new AcpRefusal(
      'invalidParams',
      `The prompt contains an image of type "${mimeType}"; only ${IMAGE_TYPES.join(', ')} can be read.`,
    );
  }
  return { type: 'image', source: { type: 'base64', media_type: mimeType, data } };
}

function toAttachment(resource: EmbeddedResource['resource']): UserBlock {
  const place = placeOf(resource.uri);
  if ('text' in resource) {
    return { type: 'text', text: `Attached: ${place}\n${fence(resource.text)}` };
  }
  const { mimeType = null, blob } = resource;
  if (mimeType !== null && isImageType(mimeType)) return toImage(blob, mimeType);
  if (mimeType === 'application/pdf') {
    return {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: blob },
      title: place,
    };
  }
  throw new AcpRefusal(
    'invalidParams',
    `${place} is attached as ${mimeType ?? 'bytes of an unknown type'}, which models cannot read. Attach text, images or PDFs, or write its path.`,
  );
}

// The tools of the CLI take paths, so a file URL becomes a path.
function placeOf(uri: string): string {
  if (!uri.startsWith('file:')) return uri;
  try {
    return fileURLToPath(uri);
  } catch {
    return uri;
  }
}

/** A text between fences that do not occur in it. */
export function fence(text: string, language = ''): string {
  let marks = '```';
  while (text.includes(marks)) marks += '`';
  return `${marks}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${marks}`;
}
