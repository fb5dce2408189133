// One row of the story: its time at the side, its item, and a vertical line for each subagent it belongs to.
import { formatClock } from '../../../model/format.js';
import { lateView } from '../../components/late-view.js';
import { CallCard } from './call-card.js';
import type { ItemProps } from './item-props.js';
import { AnswerEntry, MarkEntry, PromptEntry, TextEntry, ThinkingEntry } from './turn-items.js';

// Loaded on use, because few sessions crash, and most questions belong to a call.
const CrashCard = lateView(async () => (await import('./crash-card.js')).CrashCard);

const QuestionEntry = lateView(async () => (await import('./question-entry.js')).QuestionEntry);

const MOST_RAILS = 6;

export function StoryRow(props: ItemProps) {
  const { item } = props;
  const rails = Math.min(MOST_RAILS, item.depth);
  return (
    <div class={`story-row story-${item.kind}`}>
      <span class="story-time number" aria-hidden="true">
        {formatClock(item.t)}
      </span>
      <div class="story-body" style={{ '--rails': String(rails) }}>
        {rails > 0 && <span class="story-rails" aria-hidden="true" />}
        <Item {...props} />
      </div>
    </div>
  );
}

/** Late views get copies, because items change in place, and those are drawn again only when a prop changes. */
function Item({ item, ...rest }: ItemProps) {
  switch (item.kind) {
    case 'prompt':
      return <PromptEntry item={item} {...rest} />;
    case 'thinking':
      return <ThinkingEntry item={item} {...rest} />;
    case 'text':
      return <TextEntry item={item} {...rest} />;
    case 'call':
      return <CallCard item={item} {...rest} />;
    case 'question':
      return <QuestionEntry item={{ ...item }} />;
    case 'mark':
      return item.crash ? <CrashCard item={{ ...item }} {...rest} /> : <MarkEntry item={item} {...rest} />;
    default:
      return <AnswerEntry item={item} {...rest} />;
  }
}
