// Version 2 of the tables: leases.

export const LEASE_FUNCTIONS_2 = ``;
