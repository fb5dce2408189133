// What running turns hold back from their budgets, in PostgreSQL.
import { checkReservation } from '../journal/check-reservation.js';
import { checkName } from '../journal/check-names.js';
import type { Journal, ReservationAnswer } from '../journal/journal.js';
import type { Database } from './database.js';
import { ms } from './rows.js';
import { TableReader } from './table-reader.js';

/** The name of the budget of all conversations in the tables. */
const ALL = 'all';
const RESERVED = new TableReader('reserve_budget');

export function reservationMethods(database: Database): Required<Pick<Journal, 'reserve'>> {
  return {
    async reserve(fence, turn, request): Promise<ReservationAnswer> {
      checkName('turn', turn);
      checkReservation(request);
      const { budgets, atMostUsd, turnCostUsd, waits } = request;
      const { schema } = database;
      // All of it is one statement, which sees the reservation as it was before.
      const [row] = await database.query(
        `select r.*, b.blocked, ${ms('clock_timestamp() - b.waits_since')} as waited
        from ${schema}.reserve_budget($1, $2, $3, $4, $5, $6, $7, $8, $9) r left join (
          select n.blocked, n.waits_since from ${schema}.reservations n
          join ${schema}.conversations c on c.number = n.conversation
          where c.key = $1 and n.turn = $3 and n.blocked is not null
        ) b on true`,
        [
          fence.key,
          fence.epoch,
          turn,
          budgets.map((budget) => budget.of),
          budgets.map(({ usd }) => usd),
          budgets.map(({ days }) => days),
          atMostUsd,
          turnCostUsd,
          waits,
        ],
        { fence, turn },
      );
      switch (RESERVED.text(row, 'answer')) {
        case 'reserved':
          return { state: 'reserved', usd: RESERVED.number(row, 'usd') };
        case 'used up':
          return { state: 'usedUp', budget: RESERVED.number(row, 'budget') - 1 };
        default: {
          const budget = RESERVED.number(row, 'budget') - 1;
          const isOfTenant = budgets[budget]?.of === 'tenant';
          const waitedFor = RESERVED.textIfAny(row, 'blocked');
          const isSame = waitedFor !== undefined && (waitedFor !== ALL) === isOfTenant;
          return {
            state: 'taken',
            budget,
            freeUsd: RESERVED.number(row, 'usd'),
            ...(isSame && { waitedMs: Math.max(0, RESERVED.number(row, 'waited')) }),
          };
        }
      }
    },
  };
}
