// The tenants: whom a run is for, and what each may cost in a calendar month. Read from a JSON file, and checked.
import { readFileSync } from 'node:fs';

export type Tenant = { id: string; name: string; budgetUsd: number };

/** Throws an error that names the file, the entry and what is wrong with it. */
export function readTenants(file: string): Tenant[] {
  const list: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(list) || list.length === 0) throw new Error(`${file} must hold a list of tenants.`);
  return list.map((entry: Partial<Tenant> | null, at) => {
    const { id = '', name = '', budgetUsd = Number.NaN } = entry ?? {};
    const isNew = list.findIndex((other: Partial<Tenant> | null) => other?.id === id) === at;
    // The id names files, too.
    if (/^[a-z0-9-]{1,40}$/.test(id) && isNew && name && budgetUsd >= 0) return { id, name, budgetUsd };
    const rule = 'a tenant has an id of its own (a-z, 0-9 and "-"), a name, and budgetUsd, a number from 0';
    throw new Error(`${file}, entry ${at + 1}: ${rule}.`);
  });
}
