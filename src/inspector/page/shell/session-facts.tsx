// What the header says of a session: model, turns, tokens, money, and where the time went.
import { useSignal } from '@preact/signals';
import {
  formatCount,
  formatDuration,
  formatExact,
  formatMoney,
  formatShare,
  countOf,
} from '../../model/format.js';
import type { SessionSummary } from '../../model/session-summary.js';
import { describeShares, listShares } from '../../model/share-words.js';
import { Badge } from '../components/badge.js';
import { Dialog } from '../components/dialog.js';
import { Icon } from '../components/icons.js';
import { ShareBar } from '../components/share-bar.js';

export function SessionFacts({ summary }: { summary: SessionSummary }) {
  const { tokens } = summary;
  const all = tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite;
  return (
    <ul class="facts" aria-label="This session in figures">
      {summary.model !== undefined && <li class="fact-model cut">{summary.model}</li>}
      <li class="fact-turns">{countOf(summary.turns, 'turn')}</li>
      {all > 0 && (
        <li class="fact-tokens" title={tokenWords(summary)}>
          {formatCount(all)} tokens
        </li>
      )}
      {summary.costUsd !== undefined && <li>{formatMoney(summary.costUsd)}</li>}
      {summary.errors > 0 && (
        <li>
          <Badge tone="error">{countOf(summary.errors, 'error')}</Badge>
        </li>
      )}
    </ul>
  );
}

/** The bar and its sentence; opens the table of all figures. */
export function TimeLine({ summary }: { summary: SessionSummary }) {
  const isOpen = useSignal(false);
  const sentence = describeShares(summary.shares);
  if (sentence === '') return null;
  return (
    <>
      <button
        type="button"
        class="time-line"
        aria-haspopup="dialog"
        title={`Where the time went: ${sentence}`}
        onClick={() => {
          isOpen.value = true;
        }}
      >
        <ShareBar shares={summary.shares} />
        <span class="time-words time-words-all number" aria-hidden="true">
          {sentence}
        </span>
        <span class="time-words time-words-two number" aria-hidden="true">
          {describeShares(summary.shares, 2)}
        </span>
        <Icon name="down" />
      </button>
      {isOpen.value && (
        <FiguresDialog
          summary={summary}
          onClose={() => {
            isOpen.value = false;
          }}
        />
      )}
    </>
  );
}

function FiguresDialog({ summary, onClose }: { summary: SessionSummary; onClose: () => void }) {
  const shares = listShares(summary.shares);
  const whole = shares.reduce((sum, { ms }) => sum + ms, 0);
  return (
    <Dialog title="Where the time went" onClose={onClose}>
      <ShareBar shares={summary.shares} />
      <table class="figures">
        <tbody>
          {shares.map(({ key, word, means, tone, ms }) => (
            <tr key={key}>
              <th scope="row">
                <span class={`share-key tone-${tone}`} aria-hidden="true" />
                {word}
                <span class="figures-means soft">{means}</span>
              </th>
              <td>{formatDuration(ms)}</td>
              <td class="soft">{formatShare(ms, whole)}</td>
            </tr>
          ))}
          <tr class="figures-sum">
            <th scope="row">together</th>
            <td>{formatDuration(whole)}</td>
            <td />
          </tr>
        </tbody>
      </table>
      <p class="soft small">Every moment is counted once, for the one thing that was waited for.</p>
      <h3 class="figures-head">The session</h3>
      <table class="figures">
        <tbody>
          {figuresOf(summary).map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td colSpan={2}>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}

function figuresOf(summary: SessionSummary): [string, string][] {
  const { tokens } = summary;
  const rows: [string, string | undefined][] = [
    ['model', summary.model],
    ['permission mode', summary.permissionMode],
    ['turns', formatExact(summary.turns)],
    ['tokens in', formatExact(tokens.input)],
    ['tokens out', formatExact(tokens.output)],
    ['read from cache', formatExact(tokens.cacheRead)],
    ['written to cache', formatExact(tokens.cacheWrite)],
    ['cost', summary.costUsd === undefined ? undefined : formatMoney(summary.costUsd)],
    ['errors', formatExact(summary.errors)],
    ['events', formatExact(summary.events)],
    ['CLI', summary.claudeCodeVersion],
    ['folder', summary.cwd],
    ['session id', summary.sessionId],
    ['file', summary.file],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== undefined);
}

function tokenWords({ tokens }: SessionSummary): string {
  return `${formatExact(tokens.input)} in, ${formatExact(tokens.output)} out, ${formatExact(tokens.cacheRead)} from cache, ${formatExact(tokens.cacheWrite)} to cache`;
}
