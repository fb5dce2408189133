// The cluster: the same in every process. Without DATABASE_URL everything is in the memory of one process.
import { createCluster } from 'inboard/cluster';
import { postgresJournal } from 'inboard/cluster/postgres';
import type { QueryOptions } from 'inboard';
import { openLedger } from './ledger.ts';
import { createShop } from './shop.ts';

/** What processes of one desk have in common; `offline` stands for the model where there is no key. */
export interface DeskSettings {
  databaseUrl?: string | undefined;
  offline?: Pick<QueryOptions, 'env' | 'cwd'> | undefined;
  /** How long the search of one hall takes. */
  shelfMs: number;
}

export function openDesk({ databaseUrl, offline, shelfMs }: DeskSettings) {
  const ledger = openLedger(databaseUrl);
  const shop = createShop(ledger, shelfMs);
  const cluster = createCluster({
    agents: {
      support: ({ data }: { data: { customer: string } }) => ({
        ...offline,
        systemPrompt:
          `You are at the support desk of a shop, and talk to ${data.customer}. Look orders up before you speak of them. ` +
          'Search the warehouse for what was lost. Offer a refund where one is due. Two or three sentences.',
        // The shop is all it can reach: no files, no shell, no settings of whoever starts the worker.
        tools: [],
        settingSources: [],
        strictMcpConfig: true,
        mcpServers: { shop },
        // Every other call is a question to a person.
        allowedTools: ['mcp__shop__look_up_order', 'mcp__shop__search_warehouse'],
        hookFailure: 'refuse', // a hook that you add must not fail open
        includePartialMessages: true,
      }),
    },
    ...(databaseUrl && { journal: postgresJournal(databaseUrl) }),
    budgets: { conversation: 5 },
  });
  return { cluster, ledger };
}

export type Desk = ReturnType<typeof openDesk>;
