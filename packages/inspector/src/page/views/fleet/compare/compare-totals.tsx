// The totals of two sessions side by side, with their differences.
import type { ComponentChildren } from 'preact';
import type {
  ComparedTool,
  ComparedTotal,
  Comparison,
} from '../../../../model/fleet/compare/compare-sessions.js';
import { SHARE_KINDS } from '../../../../model/share-words.js';
import { formatCount, formatDuration, formatMoney, NO_NUMBER } from '../../../../model/format.js';

const FORMATS = { duration: formatDuration, money: formatMoney, count: formatCount };

export function CompareTotals({ comparison: { totals, tools, facts } }: { comparison: Comparison }) {
  // A figure that is zero or unknown in both is left out.
  const told = totals.filter(({ left, right }) => left || right);
  return (
    <div class="compare-tables">
      <Table caption="Totals" last="Difference">
        {told.map((total) => (
          <TotalRow key={total.name} total={total} />
        ))}
      </Table>
      <div class="compare-tables-side">
        {tools.length > 0 && (
          <Table caption="Calls" last="Difference">
            {tools.map((tool) => (
              <tr key={tool.name}>
                <th scope="row">{tool.name}</th>
                <td>{callsOf(tool.left)}</td>
                <td>{callsOf(tool.right)}</td>
                <td class="soft">
                  <Difference left={tool.left.calls} right={tool.right.calls} format={formatCount} />
                </td>
              </tr>
            ))}
          </Table>
        )}
        {facts.length > 0 && (
          <Table caption="Not the same">
            {facts.map(({ name, left, right }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="compare-fact">{left}</td>
                <td class="compare-fact">{right}</td>
              </tr>
            ))}
          </Table>
        )}
      </div>
    </div>
  );
}

function Table({ caption, last, children }: { caption: string; last?: string; children: ComponentChildren }) {
  return (
    <table class={`compare-table ${last === undefined ? 'compare-table-facts' : ''}`}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="off-screen">What</span>
          </th>
          <th scope="col">A</th>
          <th scope="col">B</th>
          {last !== undefined && <th scope="col">{last}</th>}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

function TotalRow({ total: { name, unit, share, left, right } }: { total: ComparedTotal }) {
  const format = FORMATS[unit];
  const tone = SHARE_KINDS.find(({ key }) => key === share)?.tone;
  const isPart = share !== undefined || PARTS_OF_TOKENS.has(name);
  return (
    <tr class={isPart ? 'compare-part' : undefined}>
      <th scope="row">
        <span>
          {tone !== undefined && <span class={`compare-swatch tone-${tone}`} aria-hidden="true" />}
          {name}
        </span>
      </th>
      <td>{left === undefined ? NO_NUMBER : format(left)}</td>
      <td>{right === undefined ? NO_NUMBER : format(right)}</td>
      <td class="soft">
        <Difference left={left} right={right} format={format} />
      </td>
    </tr>
  );
}

const PARTS_OF_TOKENS = new Set(['in', 'out', 'from cache', 'to cache']);

interface DifferenceProps {
  left: number | undefined;
  right: number | undefined;
  format: (value: number) => string;
}

/** `+1.2 s (+40 %)`: by how much B is more than A. */
function Difference({ left, right, format }: DifferenceProps) {
  if (left === undefined || right === undefined) return <>{NO_NUMBER}</>;
  const more = right - left;
  if (more === 0) return <>same</>;
  const sign = more > 0 ? '+' : '−';
  const percent = left > 0 ? Math.round((Math.abs(more) / left) * 100) : 0;
  return (
    <>
      <span>{`${sign}${format(Math.abs(more))}`}</span>
      {/* A percentage is shown only if A is not zero and the difference is below 1000 %. */}
      {percent > 0 && percent < 1000 && (
        <>
          {' '}
          <span>{`(${sign}${percent} %)`}</span>
        </>
      )}
    </>
  );
}

function callsOf({ calls, failed }: ComparedTool['left']): string {
  return failed === 0 ? String(calls) : `${calls}, ${failed} failed`;
}
