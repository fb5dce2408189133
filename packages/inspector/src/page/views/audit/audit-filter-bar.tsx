// The filters of the audit: a text, who, and what.
import { DEED_WORDS, readDeed } from '../../../model/audit-part.js';
import { Icon } from '../../components/icons.js';
import { changeFilter, type AuditState } from './audit-state.js';

export function AuditFilterBar({ state }: { state: AuditState }) {
  const { by, what, text } = state.filter.value;
  return (
    <div class="fleet-filter" role="search" aria-label="Audit">
      <label class="fleet-search">
        <span class="off-screen">Search the audit</span>
        <Icon name="search" />
        <input
          type="search"
          placeholder="Search conversations, tools, inputs"
          value={text}
          onInput={(event) => changeFilter(state, { text: event.currentTarget.value })}
          onKeyDown={(event) => leave(event, () => changeFilter(state, { text: '' }))}
        />
      </label>
      <label class="fleet-search audit-who">
        <span class="off-screen">Who, the whole name</span>
        <Icon name="person" />
        <input
          type="text"
          placeholder="Who, the whole name"
          value={by}
          onInput={(event) => changeFilter(state, { by: event.currentTarget.value })}
          onKeyDown={(event) => leave(event, () => changeFilter(state, { by: '' }))}
        />
      </label>
      <select
        aria-label="What"
        value={what ?? ''}
        onChange={(event) => changeFilter(state, { what: readDeed(event.currentTarget.value) })}
      >
        <option value="">All that was done</option>
        {Object.entries(DEED_WORDS).map(([name, word]) => (
          <option key={name} value={name}>
            {word}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Escape empties a field, or leaves it if it is empty. */
function leave(event: KeyboardEvent & { currentTarget: HTMLInputElement }, clear: () => void): void {
  if (event.key !== 'Escape') return;
  event.preventDefault();
  if (event.currentTarget.value === '') event.currentTarget.blur();
  clear();
}
