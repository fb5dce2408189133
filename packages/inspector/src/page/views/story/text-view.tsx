// Draws the text of a model as text nodes: paragraphs, lists, tables, code. Matches of the search are marked.
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { readBlocks, type ListLine, type MarkdownBlock } from '../../../model/story/text-blocks.js';
import type { TextSpan } from '../../../model/story/text-spans.js';
import { lateView } from '../../components/late-view.js';

// Loaded a moment later. The head of the code has its height already.
const CopyButton = lateView(async () => (await import('../../components/copy-button.js')).CopyButton);

/** Every occurrence of `query` is marked. */
export function TextView({ text, query = '' }: { text: string; query?: string | undefined }) {
  const blocks = useMemo(() => readBlocks(text), [text]);
  return (
    <div class="prose">
      {blocks.map((block, index) => (
        <Block key={index} block={block} query={query} />
      ))}
    </div>
  );
}

function Block({ block, query }: { block: MarkdownBlock; query: string }) {
  switch (block.type) {
    case 'heading':
      return (
        <p dir="auto" class={`prose-heading prose-heading-${Math.min(3, block.level)}`}>
          <Spans spans={block.spans} query={query} />
        </p>
      );
    case 'code':
      return <CodeBlock language={block.language} text={block.text} query={query} />;
    case 'list':
      return (
        <ul class="prose-list">
          {block.lines.map((line, index) => (
            <ListEntry key={index} line={line} query={query} />
          ))}
        </ul>
      );
    case 'table':
      return <Table head={block.head} rows={block.rows} query={query} />;
    case 'quote':
      return (
        <blockquote dir="auto">
          <Spans spans={block.spans} query={query} />
        </blockquote>
      );
    case 'rule':
      return <hr />;
    default:
      return (
        <p dir="auto">
          <Spans spans={block.spans} query={query} />
        </p>
      );
  }
}

function ListEntry({ line, query }: { line: ListLine; query: string }) {
  const { depth, mark, isDone } = line;
  const sign = isDone === undefined ? (mark === '-' ? '•' : mark) : isDone ? '☑' : '☐';
  return (
    <li dir="auto" style={{ paddingInlineStart: `${depth * 20}px` }}>
      <span class="prose-mark" aria-hidden={mark === '-' && isDone === undefined ? 'true' : undefined}>
        {sign}
      </span>
      <span>
        <Spans spans={line.spans} query={query} />
      </span>
    </li>
  );
}

function Table({ head, rows, query }: { head: TextSpan[][]; rows: TextSpan[][][]; query: string }) {
  return (
    <div class="prose-table">
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index} scope="col" dir="auto">
                <Spans spans={cell} query={query} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, place) => (
                <td key={place} dir="auto">
                  <Spans spans={cell} query={query} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function CodeBlock({ language, text, query }: { language: string; text: string; query: string }) {
  return (
    <div class="prose-code">
      <div class="prose-code-head">
        <span>{language}</span>
        <CopyButton label="Copy the code" text={text} />
      </div>
      <pre>
        <code>
          <Marked text={text} query={query} />
        </code>
      </pre>
    </div>
  );
}

function Spans({ spans, query }: { spans: readonly TextSpan[]; query: string }) {
  return (
    <>
      {spans.map((span, index) => (
        <Span key={index} span={span} query={query} />
      ))}
    </>
  );
}

function Span({ span, query }: { span: TextSpan; query: string }) {
  const inside = <Marked text={span.text} query={query} />;
  switch (span.type) {
    case 'code':
      return <code>{inside}</code>;
    case 'strong':
      return <strong>{inside}</strong>;
    case 'emphasis':
      return <em>{inside}</em>;
    case 'link':
      return (
        <a href={span.href} rel="noopener noreferrer" target="_blank">
          {inside}
        </a>
      );
    default:
      return inside;
  }
}

/** A text in which every occurrence of a query is marked. Upper and lower case are not distinguished. */
export function Marked({ text, query }: { text: string; query: string }) {
  const wanted = query.trim().toLowerCase();
  const lower = wanted === '' ? '' : text.toLowerCase();
  // If lower case has another length, the indexes would be wrong, so nothing is marked.
  if (wanted === '' || lower.length !== text.length || !lower.includes(wanted)) return <>{text}</>;
  const parts: ComponentChildren[] = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + wanted.length)}</mark>);
    from = at + wanted.length;
  }
  parts.push(text.slice(from));
  return <>{parts}</>;
}
