// Draws the output of a tool: texts, JSON, images.
import type { OutputPart } from '../../../model/story/story-item.js';
import { JsonView } from '../../components/json-view.js';
import { LongText, MediaView } from './text-and-media.js';

export function OutputParts({
  parts,
  name,
  query,
}: {
  parts: readonly OutputPart[];
  name: string;
  query: string;
}) {
  return (
    <div class="output">
      {parts.map((part, index) => (
        <Part key={index} part={part} name={name} query={query} />
      ))}
    </div>
  );
}

function Part({ part, name, query }: { part: OutputPart; name: string; query: string }) {
  if (part.type === 'text') return <LongText text={part.text} query={query} />;
  if (part.type === 'json') return <JsonView value={part.value} copyLabel="Copy the output" />;
  return <MediaView media={part} name={name} />;
}
