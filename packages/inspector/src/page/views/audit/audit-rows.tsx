// The entries of the audit as a table, which becomes a list of cards where there is little room.
import type { AuditedDeed } from '@inboard/cluster/journal/audit-entry.js';
import { diffValues } from '@inboard/core/util/diff-values.js';
import { DEED_WORDS, type AuditRow } from '../../../model/audit-part.js';
import { formatDate, formatTimeOfDay } from '../../../model/format.js';
import { Badge } from '../../components/badge.js';
import type { Tone } from '../../components/tone.js';
import { JsonView } from '../../components/json-view.js';
import { ValueEdits } from '../../components/value-edits.js';
import type { Store } from '../../store/store.js';

const COLUMNS = ['When', 'Who', 'What', 'Conversation', 'Turn, question', 'Detail'];
const TONES: Partial<Record<AuditedDeed, Tone>> = {
  allowed: 'good',
  completed: 'good',
  edited: 'permission',
  denied: 'error',
  failed: 'error',
  interrupted: 'overhead',
  forgotten: 'accent',
  tenantForgotten: 'accent',
  pruned: 'accent',
};

interface RowProps {
  store: Store;
  /** Is called with the name of a person that was chosen. */
  onPerson: (by: string) => void;
}

export function AuditRows({ entries, ...props }: RowProps & { entries: readonly AuditRow[] }) {
  // The roles keep the meaning of a table where the style makes it a list of cards.
  return (
    <table class="audit-table" role="table" aria-label="Audit, newest first">
      <thead role="rowgroup">
        <tr role="row">
          {COLUMNS.map((name) => (
            <th key={name} role="columnheader" scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {entries.map((entry) => (
          <Row key={entry.seq} entry={entry} {...props} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ entry, store, onPerson }: RowProps & { entry: AuditRow }) {
  const { at, by, what, turn, question } = entry;
  return (
    <tr class="audit-row" role="row" tabIndex={-1}>
      <td class="audit-when number" role="cell">
        <time dateTime={new Date(at).toISOString()}>
          <span class="soft">{formatDate(at)}</span> {formatTimeOfDay(at)}
        </time>
      </td>
      <td class="audit-by" role="cell">
        {by === undefined ? (
          <span class="soft" title="Who did it was not said.">
            not said
          </span>
        ) : (
          <button type="button" class="audit-link" title={`Only what ${by} did`} onClick={() => onPerson(by)}>
            {by}
          </button>
        )}
      </td>
      <td class="audit-what" role="cell">
        <Badge tone={TONES[what] ?? 'neutral'}>{DEED_WORDS[what]}</Badge>
      </td>
      <td class="audit-conversation" role="cell">
        <Conversation entry={entry} store={store} />
      </td>
      <td class="audit-ids" role="cell">
        {turn !== undefined && <code title={turn}>{turn}</code>}
        {question !== undefined && ' '}
        {question !== undefined && (
          <code class="soft" title={question}>
            {question}
          </code>
        )}
      </td>
      <td class="audit-detail" role="cell">
        <Detail entry={entry} />
      </td>
    </tr>
  );
}

function Conversation({ entry, store }: { entry: AuditRow; store: Store }) {
  const { conversation: key, conversationNumber, tenant } = entry;
  const isKnown = store.sessions.value.some(({ id }) => id === key);
  return (
    <>
      {key === undefined ? (
        conversationNumber !== undefined && <span class="soft">{`forgotten (${conversationNumber})`}</span>
      ) : isKnown ? (
        <button
          type="button"
          class="audit-link"
          title="Show its story"
          onClick={() => store.open(key, 'story')}
        >
          {key}
        </button>
      ) : (
        <span>{key}</span>
      )}
      {tenant !== undefined && (
        <>
          {' '}
          <span class="soft small">{tenant}</span>
        </>
      )}
    </>
  );
}

function Detail({ entry }: { entry: AuditRow }) {
  const { toolName, message, input, editedInput, permissions, pruned, isCut } = entry;
  const values = [
    [editedInput === undefined ? 'The input' : 'The original input', input],
    ['The changed input', editedInput],
    ['Rules that were added', permissions],
    ['What was removed', pruned],
  ] as const;
  const given = values.filter(([, value]) => value !== undefined);
  return (
    <>
      {toolName !== undefined && <code class="audit-tool">{toolName}</code>}
      {message !== undefined && <span class="audit-message">{message}</span>}
      {editedInput !== undefined && (
        <span class="card-edits">
          <ValueEdits before={input} after={editedInput} />
          {diffValues(input, editedInput).length === 0 && (
            <span class="soft">The difference is in a part that is hidden or not shown.</span>
          )}
        </span>
      )}
      {given.length > 0 && (
        <details class="audit-values">
          <summary>{given.map(([name]) => name.replace(/^The /, '')).join(', ')}</summary>
          <div class="audit-both">
            {given.map(([name, value]) => (
              <div key={name}>
                <p class="soft small">{name}</p>
                <JsonView value={value} />
              </div>
            ))}
          </div>
        </details>
      )}
      {isCut && (
        <span class="soft small">Long texts are cut here; `inboard cluster audit --json` has them.</span>
      )}
    </>
  );
}
