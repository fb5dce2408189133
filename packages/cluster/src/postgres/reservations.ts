// What running turns hold back from their budgets, in PostgreSQL.
import { checkReservation } from '../journal/check-reservation.js';
import { checkName } from '../journal/check-names.js';
import type { Journal, ReservationAnswer } from '../journal/journal.js';
import type { Database } from './database.js';
import { TableReader } from './table-reader.js';

const RESERVED = new TableReader('reserve_budget');

export function reservationMethods(database: Database): Required<Pick<Journal, 'reserve'>> {
  return {
    async reserve(fence, turn, request): Promise<ReservationAnswer> {
      checkName('turn', turn);
      checkReservation(request);
      const { budgets, atMostUsd, costUsd, waits } = request;
      const [row] = await database.query(
        `select * from ${database.schema}.reserve_budget($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          fence.key,
          fence.epoch,
          turn,
          budgets.map((budget) => budget.of),
          budgets.map(({ usd }) => usd),
          budgets.map(({ days }) => days),
          atMostUsd,
          costUsd,
          waits,
        ],
        { fence, turn },
      );
      switch (RESERVED.text(row, 'answer')) {
        case 'reserved':
          return { state: 'reserved', usd: RESERVED.number(row, 'usd') };
        case 'used up':
          return { state: 'usedUp', budget: RESERVED.number(row, 'budget') - 1 };
        default:
          return {
            state: 'taken',
            budget: RESERVED.number(row, 'budget') - 1,
            freeUsd: RESERVED.number(row, 'usd'),
          };
      }
    },
  };
}
