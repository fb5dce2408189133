// Converts a recorded result to what the CLI would have shown the model and written into its transcript if it had
// received the result itself. How CLIs do that is in docs/discoveries/tool-results.md. A test compares each kind of
// result with a live call.
import type { ResourceLink, ToolContent } from '../../answer/mcp/result/tool-content.js';
import { toolName } from '../../answer/mcp/tool/tool-name.js';
import { isRecord } from '../../util/guards.js';
import { withoutUndefined } from '../../util/without-undefined.js';
import type { RecordedResult } from '../../wire/protocol/config/call-records.js';
import { findRules, type CliRules } from './cli-rules.js';
import { convertBlock, describeLink, type ContentContext } from './convert-content.js';
import { takeStart } from './cut-text.js';
import { findIssues } from './find-malformed.js';
import { limitChars, limitTokens, type ShownContent } from './limit-result.js';
import { ResultFiles } from './result-files.js';
import { showFailure } from './show-failure.js';
import type { ResultPlace, ShownBlock, ShownResult } from './shown-result.js';

/** Converts a recorded result. Writes nothing: the caller must write the files before the entry. */
export function showToModel(result: RecordedResult, place: ResultPlace): ShownResult {
  const rules = findRules(place.cliVersion);
  const issues = findIssues(result);
  if (issues.length > 0) {
    const list = JSON.stringify(issues, null, 2);
    return showFailure(
      rules.isNew
        ? `MCP server "${place.server}" returned a malformed result that failed schema validation: Invalid result for tools/call: ${list}`
        : list,
      place.cliVersion,
    );
  }
  if (result.isError === true) return showErrorResult(result, place, rules);

  const files = new ResultFiles(place);
  const limits = { rules, files, place };
  const found = convertResult(result, { rules, files, server: place.server });
  const shown = limitTokens(found.content, limits);
  const content = rules.isNew && isBlank(shown) ? describeNoOutput(place) : limitChars(shown, limits);
  const copy = shown === found.content ? found.copy : shown;
  const mcpMeta = describeMeta(result, rules);
  return {
    content,
    toolUseResult: rules.isNew ? boundCopy(copy, rules) : copy,
    ...(mcpMeta === undefined ? {} : { entryFields: { mcpMeta } }),
    files: files.list,
  };
}

function showErrorResult(result: RecordedResult, place: ResultPlace, { isNew }: CliRules): ShownResult {
  const blocks = (result.content ?? []) as ToolContent[];
  const shown = showFailure(isNew ? joinTexts(blocks) : takeFirstText(blocks), place.cliVersion);
  const { _meta: meta } = result;
  return isNew && hasKeys(meta) ? { ...shown, entryFields: { mcpMeta: { _meta: meta } } } : shown;
}

const UNKNOWN_ERROR = 'Unknown error';

function joinTexts(blocks: ToolContent[]): string {
  const texts = blocks.flatMap((block) => {
    if (block.type === 'text') return [block.text];
    return block.type === 'resource_link' ? [describeLink(block)] : [];
  });
  return texts.length === 0 ? UNKNOWN_ERROR : texts.join('\n');
}

function takeFirstText([first]: ToolContent[]): string {
  return first?.type === 'text' ? first.text : UNKNOWN_ERROR;
}

/** The content for the model, and a copy for programs (`toolUseResult`). The copy keeps the `_meta` of texts. */
interface Converted {
  content: ShownContent;
  copy: string | CopiedBlock[];
}

type CopiedBlock = ShownBlock & { _meta?: unknown };

function convertResult(result: RecordedResult, context: ContentContext): Converted {
  // The form of results before MCP had blocks.
  if ('toolResult' in result) return same(String(result['toolResult']));
  const blocks = (result.content ?? []) as ToolContent[];
  const { structuredContent } = result;
  if (structuredContent === undefined) return convertBlocks(blocks, context);
  const json = JSON.stringify(structuredContent);
  // Structured content replaces the texts. The newer CLI keeps all other blocks.
  const others = context.rules.isNew ? blocks.filter(({ type }) => type !== 'text') : [];
  if (others.length === 0) return same(json);
  return same([...others.flatMap((block) => convertBlock(block, context)), { type: 'text', text: json }]);
}

function convertBlocks(blocks: ToolContent[], context: ContentContext): Converted {
  const parts = blocks.map((block) => convertBlock(block, context));
  const content = parts.flat();
  const hasMeta =
    context.rules.isNew && blocks.some((block) => block.type === 'text' && block._meta !== undefined);
  if (!hasMeta) return same(content);
  const copy = parts.flatMap((shown, index): CopiedBlock[] => {
    const block = blocks[index];
    const meta = block?.type === 'text' ? block._meta : undefined;
    return meta === undefined ? shown : shown.map((part) => ({ ...part, _meta: meta }));
  });
  return { content, copy };
}

function same(content: ShownContent): Converted {
  return { content, copy: content };
}

function isBlank(content: ShownContent): boolean {
  if (typeof content === 'string') return content.trim() === '';
  return content.every((block) => block.type === 'text' && block.text.trim() === '');
}

function describeNoOutput({ server, tool }: ResultPlace): string {
  return `(${toolName(server, tool)} completed with no output)`;
}

const COPY_CHARS = 500_000;
const COPY_BLOCK_CHARS = 32;

// The newer CLI limits the length of the copy for programs.
function boundCopy(copy: Converted['copy'], rules: CliRules): Converted['copy'] {
  const blocks: CopiedBlock[] = typeof copy === 'string' ? [{ type: 'text', text: copy }] : copy;
  const texts = blocks.map((block) => (block.type === 'text' ? block.text.length : 0));
  const total = texts.reduce((sum, length) => sum + length, 0);
  if (total <= COPY_CHARS) return copy;
  const bounded: CopiedBlock[] = [];
  let [left, taken] = [COPY_CHARS, 0];
  for (const block of blocks) {
    if (block.type !== 'text') bounded.push(block);
    else if (left > 0) {
      const text = takeStart(block.text, left, rules);
      bounded.push({ ...block, text });
      taken += text.length;
      left -= text.length + COPY_BLOCK_CHARS;
    }
  }
  const note = `[${total - taken} more characters are not kept on this copy of the result]`;
  return [...bounded, { type: 'text', text: note }];
}

function describeMeta(result: RecordedResult, { isNew }: CliRules): Record<string, unknown> | undefined {
  const { _meta: meta, structuredContent, content } = result;
  const links = ((content ?? []) as ToolContent[]).filter((block) => block.type === 'resource_link');
  const facts = withoutUndefined({
    _meta: isNew && !hasKeys(meta) ? undefined : meta,
    structuredContent,
    resourceLinks: isNew && links.length > 0 ? links.map(describeLinkFacts) : undefined,
  });
  return Object.keys(facts).length === 0 ? undefined : facts;
}

function describeLinkFacts(link: ResourceLink): Record<string, unknown> {
  const { uri, name, title, description, mimeType, size, annotations } = link;
  return withoutUndefined({ uri, name, title, description, mimeType, size, annotations });
}

function hasKeys(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length > 0;
}
