// How much of a session has been read.
import { readWords } from '../../model/format.js';
import { isOfSession, type Store } from '../store/store.js';

/** A thin line under the header while the past events of a session are read, with the part that was read in words. */
export function ReadingLine({ store }: { store: Store }) {
  const progress = store.current.value?.progress.value ?? 1;
  if (progress >= 1 || !isOfSession(store.view.value)) return null;
  const percent = Math.round(progress * 100);
  return (
    <div
      class="reading-line"
      role="progressbar"
      aria-label="Reading the session"
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={readWords(progress)}
    >
      <span class="reading-part" style={{ width: `${percent}%` }} />
      <span class="reading-words number" aria-hidden="true">
        {readWords(progress)}
      </span>
    </div>
  );
}
