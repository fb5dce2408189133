// What was paid back: in memory, or in the database beside the journal. A key is paid once, whoever asks how often.
import { Pool } from 'pg';

export interface Refund {
  key: string;
  order: string;
  usd: number;
}
export interface Ledger {
  pay(refund: Refund): Promise<void>;
  list(): Promise<Refund[]>;
  close(): Promise<void>;
}

export function openLedger(databaseUrl: string | undefined): Ledger {
  if (databaseUrl) return openTable(databaseUrl);
  const refunds = new Map<string, Refund>();
  return {
    pay: async (refund) => void (refunds.has(refund.key) || refunds.set(refund.key, refund)),
    list: async () => [...refunds.values()],
    close: async () => {},
  };
}

function openTable(connectionString: string): Ledger {
  const pool = new Pool({ connectionString, max: 2 });
  // A server that restarts ends connections that nobody uses at the moment.
  pool.on('error', () => {});
  const ready = pool.query(
    'CREATE TABLE IF NOT EXISTS refunds (key text PRIMARY KEY, "order" text NOT NULL, usd int NOT NULL, at timestamptz DEFAULT now())',
  );
  // Two processes that make a table at a time: one of them is told that it is there.
  const made = ready.catch(() => pool.query('SELECT 1 FROM refunds LIMIT 1'));
  return {
    async pay({ key, order, usd }) {
      await made;
      await pool.query('INSERT INTO refunds VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [key, order, usd]);
    },
    async list() {
      await made;
      return (await pool.query<Refund>('SELECT key, "order", usd FROM refunds ORDER BY at')).rows;
    },
    close: () => pool.end(),
  };
}
