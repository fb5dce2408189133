// A crash as one card: how it ended, the last lines of standard error, the last call, and what to do.
import { adviseOn, tailOf } from '../../../model/story/read-crash.js';
import { inputLine, stateWord } from '../../../model/story/call-lines.js';
import type { MarkItem } from '../../../model/story/story-item.js';
import { CopyButton } from '../../components/copy-button.js';
import { Icon } from '../../components/icons.js';
import type { ItemProps } from './item-props.js';
import { showInStory } from './show-in-story.js';
import { Marked } from './text-view.js';

export function CrashCard({ item, store, query }: ItemProps<MarkItem>) {
  const { crash, text } = item;
  if (!crash) return null;
  const { error, call } = crash;
  const stderr = tailOf(crash);
  const open = (): void => {
    const { value: loaded } = store.current;
    if (loaded && call) showInStory(store, loaded.model, { n: call.n });
  };
  return (
    <article class="crash" aria-label={`Error: ${text}`}>
      <h3 class="crash-title">
        <Icon name="warning" />
        <Marked text={text} query={query} />
      </h3>
      {error && (
        <p>
          <code>{error.code}</code> <bdi>{error.message === text ? '' : error.message}</bdi>
        </p>
      )}
      {call && (
        <p class="crash-call">
          <span class="soft">Last call</span>
          <button type="button" class="text-button" onClick={open}>
            {call.name}
          </button>
          <bdi class="cut">{inputLine(call)}</bdi>
          <span class="soft">{stateWord(call)}</span>
        </p>
      )}
      {stderr !== '' && (
        <div class="crash-stderr">
          <p class="soft">Last lines of standard error</p>
          <CopyButton text={stderr} label="Copy the lines" />
          <pre tabIndex={0}>
            <Marked text={stderr} query={query} />
          </pre>
        </div>
      )}
      <div>
        <p class="soft">What to do</p>
        <ul class="crash-advice">
          {adviseOn(crash).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </div>
    </article>
  );
}
