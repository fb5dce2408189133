// Searches the story: shows the number of matches, and moves from one to the next.
import { formatCountOf } from '../../../../model/format.js';
import { Button } from '../../../components/button.js';
import type { GoTo, StoryPlace } from '../story-place.js';

export function StorySearch({ place, go }: { place: StoryPlace; go: GoTo }) {
  const matches = place.matches();
  const move = (step: 1 | -1): void => {
    const now = place.active.value ?? (step === 1 ? -1 : Infinity);
    const next =
      step === 1
        ? (matches.find((index) => index > now) ?? matches[0])
        : (matches.findLast((index) => index < now) ?? matches.at(-1));
    if (next === undefined) return;
    go(next, 'center');
    // The field keeps the focus, so that Enter moves to the next match.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => document.getElementById('story-search')?.focus()),
    );
  };
  const close = (): void => {
    place.query.value = '';
    document.querySelector<HTMLElement>('.story-list')?.focus();
  };
  const isEmpty = place.query.value.trim() === '';
  return (
    <form
      class="story-search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        move(1);
      }}
    >
      <input
        id="story-search"
        type="search"
        aria-label="Search the story"
        placeholder="Search the story"
        autocomplete="off"
        value={place.query.value}
        onInput={(event) => {
          place.query.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.preventDefault();
            close();
          } else if (event.key === 'Enter' && event.shiftKey) {
            event.preventDefault();
            move(-1);
          }
        }}
      />
      <span class="story-found small soft number" aria-live="polite">
        {isEmpty ? '' : matches.length === 0 ? 'not found' : formatCountOf(matches.length, 'place')}
      </span>
      {!isEmpty && (
        <>
          <Button look="plain" icon="up" label="Previous place" onClick={() => move(-1)} />
          <Button look="plain" icon="down" label="Next place" onClick={() => move(1)} />
          <Button look="plain" icon="cross" label="End the search" onClick={close} />
        </>
      )}
    </form>
  );
}
