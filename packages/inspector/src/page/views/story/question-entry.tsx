// Draws a question that belongs to no call.
import { formatDuration } from '../../../model/format.js';
import { outcomeLine } from '../../../model/story/call-lines.js';
import type { QuestionItem } from '../../../model/story/story-item.js';
import { Icon } from '../../components/icons.js';
import type { ItemProps } from './item-props.js';

export function QuestionEntry({ item }: Pick<ItemProps<QuestionItem>, 'item'>) {
  const { outcome, by, message, settledT, t } = item;
  return (
    <article class={outcome === undefined ? 'asked asked-open' : 'asked'}>
      <h3 class="asked-title">
        <Icon name="question" />
        <bdi>{item.title}</bdi>
      </h3>
      <p class="asked-outcome">
        {outcome === undefined || settledT === undefined
          ? 'waits for an answer'
          : `${outcomeLine(outcome, by)} after ${formatDuration(settledT - t)}`}
        {message !== undefined && message !== '' && `: ${message}`}
      </p>
    </article>
  );
}
