// The facts about a session in the header: model, turns, tokens, money, and shares of time.
import { formatCount, formatExact, formatMoney, formatCountOf, readWords } from '../../model/format.js';
import type { SessionSummary } from '../../model/session-summary.js';
import { describeShares } from '../../model/share-words.js';
import { Badge } from '../components/badge.js';
import { Icon } from '../components/icons.js';
import { ShareBar } from '../components/share-bar.js';

export function SessionFacts({ summary }: { summary: SessionSummary }) {
  const { tokens } = summary;
  const all = tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite;
  return (
    <ul class={`facts ${summary.read === undefined ? '' : 'partial'}`} aria-label="This session in figures">
      {summary.read !== undefined && (
        <li class="fact-read">{readWords(summary.read, 'totals of the first')}</li>
      )}
      {summary.model !== undefined && <li class="fact-model cut">{summary.model}</li>}
      <li class="fact-turns">{formatCountOf(summary.turns, 'turn')}</li>
      {all > 0 && (
        <li class="fact-tokens" title={tokenWords(summary)}>
          {formatCount(all)} tokens
        </li>
      )}
      {summary.costUsd !== undefined && <li>{formatMoney(summary.costUsd)}</li>}
      {summary.errors > 0 && (
        <li>
          <Badge tone="error">{formatCountOf(summary.errors, 'error')}</Badge>
        </li>
      )}
    </ul>
  );
}

/** The bar of the shares of time and its text; opens the table of all figures. */
export function TimeLine({ summary, onOpen }: { summary: SessionSummary; onOpen: () => void }) {
  const sentence = describeShares(summary.shares);
  if (sentence === '') return null;
  return (
    <button
      type="button"
      class="time-line"
      aria-haspopup="dialog"
      title={`Where the time went: ${sentence}`}
      onClick={onOpen}
    >
      <ShareBar shares={summary.shares} />
      <span class="time-words time-words-all number" aria-hidden="true">
        {sentence}
      </span>
      <span class="time-words time-words-two number" aria-hidden="true">
        {describeShares(summary.shares, 2)
          .split(', ')
          .map((words) => (
            <span key={words}>{words}</span>
          ))}
      </span>
      <Icon name="down" />
    </button>
  );
}

function tokenWords({ tokens }: SessionSummary): string {
  return `${formatExact(tokens.input)} in, ${formatExact(tokens.output)} out, ${formatExact(tokens.cacheRead)} from cache, ${formatExact(tokens.cacheWrite)} to cache`;
}
