// The tables of the cost view: by turn, by model, by subagent.
import { useSignal } from '@preact/signals';
import { sumAgents } from '../../../model/cost/agent-costs.js';
import type { CostLedger } from '../../../model/cost/cost-ledger.js';
import { addTokens, noTokens, promptTokens, type TurnCost } from '../../../model/cost/cost-types.js';
import { formatCountOf, formatExact, formatMoney, formatShare, NO_NUMBER } from '../../../model/format.js';
import type { TokenCount } from '../../../model/session-summary.js';
import { Button } from '../../components/button.js';

/** How many turns are shown at first. A table of thousands would take long to draw. */
const FIRST_TURNS = 50;

export interface TurnTableProps {
  ledger: CostLedger;
  /** What stands for the cost of a turn that has no result. */
  noCost: string;
  onOpen: (n: number) => void;
}

export function TurnTable({ ledger, noCost, onOpen }: TurnTableProps) {
  const isWhole = useSignal(false);
  const { turns } = ledger;
  const shown = isWhole.value ? turns : turns.slice(-FIRST_TURNS);
  const left = turns.length - shown.length;
  return (
    <section class="cost-part" aria-labelledby="cost-turns">
      <h2 id="cost-turns">By turn</h2>
      <table class="cost-table">
        <Head first="Turn" last={['Cost', 'So far']} />
        <tbody>
          {left > 0 && (
            <tr>
              <td colSpan={8} class="cost-more">
                <Button
                  onClick={() => {
                    isWhole.value = true;
                  }}
                >
                  Show {formatCountOf(left, 'turn')} before these
                </Button>
              </td>
            </tr>
          )}
          {shown.map((turn) => (
            <TurnRow key={turn.number} turn={turn} noCost={noCost} onOpen={onOpen} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Together</th>
            <TokenCells tokens={ledger.tokens} />
            <td>{ledger.totalUsd === undefined ? NO_NUMBER : formatMoney(ledger.totalUsd)}</td>
            <td class="cost-wide" />
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

function TurnRow({ turn, noCost, onOpen }: Omit<TurnTableProps, 'ledger'> & { turn: TurnCost }) {
  const { number, n, requests, tokens, costUsd, isOver, totalUsd } = turn;
  return (
    <tr>
      <th scope="row">
        <button type="button" class="text-button cost-open" onClick={() => onOpen(n)}>
          {number}
          <span class="off-screen">, show it in the story</span>
        </button>
        <span class="soft cost-wide"> {formatCountOf(requests, 'request')}</span>
      </th>
      <TokenCells tokens={tokens} />
      <td>
        {costUsd === undefined ? (
          <span class="soft">{isOver ? 'not reported' : noCost}</span>
        ) : (
          formatMoney(costUsd)
        )}
      </td>
      <td class="cost-wide soft">{totalUsd === undefined ? NO_NUMBER : formatMoney(totalUsd)}</td>
    </tr>
  );
}

export function ModelTable({ ledger }: { ledger: CostLedger }) {
  const { models } = ledger;
  if (models.length === 0) return null;
  const tokens = models.reduce((sum, model) => addTokens(sum, model.tokens), noTokens());
  const costUsd = models.reduce((sum, model) => sum + model.costUsd, 0);
  return (
    <section class="cost-part" aria-labelledby="cost-models">
      <h2 id="cost-models">By model</h2>
      <table class="cost-table">
        <Head first="Model" last={['Cost', 'Window']} />
        <tbody>
          {models.map((share) => (
            <tr key={share.model}>
              <th scope="row" class="cost-name">
                {share.model}
              </th>
              <TokenCells tokens={share.tokens} />
              <td>{formatMoney(share.costUsd)}</td>
              <td class="cost-wide soft">
                {share.contextWindow === undefined ? NO_NUMBER : formatExact(share.contextWindow)}
              </td>
            </tr>
          ))}
        </tbody>
        {models.length > 1 && (
          <tfoot>
            <tr>
              <th scope="row">Together</th>
              <TokenCells tokens={tokens} />
              <td>{formatMoney(costUsd)}</td>
              <td class="cost-wide" />
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  );
}

export function AgentTable({ ledger, onOpen }: { ledger: CostLedger; onOpen: (n: number) => void }) {
  const agents = ledger.agents(sumAgents);
  if (agents.length === 0) return null;
  const isUntold = agents.some(({ costUsd }) => costUsd === undefined);
  return (
    <section class="cost-part" aria-labelledby="cost-agents">
      <h2 id="cost-agents">By subagent</h2>
      <table class="cost-table">
        <Head first="Subagent" last={['Cost', 'Requests']} />
        <tbody>
          {agents.map((agent) => (
            <tr key={agent.key}>
              <th scope="row" class="cost-name">
                <button type="button" class="text-button cost-open" onClick={() => onOpen(agent.n)}>
                  {agent.name}
                </button>
              </th>
              <TokenCells tokens={agent.tokens} />
              <td>{agent.costUsd === undefined ? NO_NUMBER : formatMoney(agent.costUsd)}</td>
              <td class="cost-wide soft">{formatExact(agent.requests)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="soft small cost-note">
        Tokens are those of the messages that a subagent passed on, often without its last answer. They are
        part of their turn.
        {isUntold &&
          ' The CLI reports cost by model: where a subagent shares its model with others, its share of the cost is not known.'}
      </p>
    </section>
  );
}

function Head({ first, last }: { first: string; last: readonly [string, string] }) {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        <th scope="col" class="cost-wide">
          Input
        </th>
        <th scope="col" class="cost-wide">
          To cache
        </th>
        <th scope="col" class="cost-wide">
          From cache
        </th>
        <th scope="col" class="cost-wide">
          Cache hits
        </th>
        <th scope="col" class="cost-slim">
          In
        </th>
        <th scope="col">
          <span class="cost-slim-word">Out</span>
          <span class="cost-wide-word">Output</span>
        </th>
        <th scope="col">{last[0]}</th>
        <th scope="col" class="cost-wide">
          {last[1]}
        </th>
      </tr>
    </thead>
  );
}

function TokenCells({ tokens }: { tokens: TokenCount }) {
  const sent = promptTokens(tokens);
  return (
    <>
      <td class="cost-wide">{formatExact(tokens.input)}</td>
      <td class="cost-wide">{formatExact(tokens.cacheWrite)}</td>
      <td class="cost-wide">{formatExact(tokens.cacheRead)}</td>
      <td class="cost-wide soft">{formatShare(tokens.cacheRead, sent)}</td>
      <td class="cost-slim">{formatExact(sent)}</td>
      <td>{formatExact(tokens.output)}</td>
    </>
  );
}
