// All figures of a session: where the time went, and the rest.
import { formatDuration, formatExact, formatMoney, readWords } from '../../model/format.js';
import type { SessionSummary } from '../../model/session-summary.js';
import { listShares } from '../../model/share-words.js';
import { percentsOf } from '../../model/time/share-percents.js';
import { Dialog } from '../components/dialog.js';
import { ShareBar } from '../components/share-bar.js';

export function FiguresDialog({ summary, onClose }: { summary: SessionSummary; onClose: () => void }) {
  const shares = listShares(summary.shares);
  const percents = percentsOf(summary.shares);
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
              <td class="soft">{percents[key]}</td>
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
      {summary.read !== undefined && (
        <p class="soft small">{`The recording is still being read (${readWords(summary.read)}): these are the figures so far.`}</p>
      )}
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
