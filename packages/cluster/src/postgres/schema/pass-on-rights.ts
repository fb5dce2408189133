// Gives roles the rights on new tables and functions that they had on the old ones, so that running processes go on during a
// migration. The SQL reads all names from the catalog and never contains the schema's name, because no way of quoting fits
// every name inside nested texts.

const OWN_SCHEMA = '(select oid from pg_namespace where nspname = current_schema())';
const TABLES = `pg_class c where c.relkind = 'r' and c.relname <> 'migrations' and c.relnamespace = ${OWN_SCHEMA}`;
const FUNCTIONS = `pg_proc f where f.prokind = 'f' and f.pronamespace = ${OWN_SCHEMA}`;
const roleOf = (grantee: string): string =>
  `case when ${grantee} = 0 then 'public' else quote_ident(pg_get_userbyid(${grantee})) end`;

/** Notes the tables and functions before the migration. */
export const NOTE_RIGHTS: string = `select
  set_config('inboard.tables', (select coalesce(array_agg(c.oid)::text, '{}') from ${TABLES}), true),
  set_config('inboard.functions', (select coalesce(array_agg(f.oid)::text, '{}') from ${FUNCTIONS}), true)`;

/**
 * A role that could work with all earlier tables (as `grantSql()` allows) may work with the new tables and call all functions.
 * A role that could call all earlier functions may call the new ones, because earlier functions call them with that role's
 * rights.
 */
export const PASS_ON_RIGHTS: string = `do $do$
declare
  g record;
  v_tables oid[] := current_setting('inboard.tables')::oid[];
  v_functions oid[] := current_setting('inboard.functions')::oid[];
  v_workers oid[];
begin
  select array_agg(w.grantee) into v_workers from (
    select a.grantee from pg_class c, aclexplode(c.relacl) a
    where c.oid = any (v_tables) and a.privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE') and a.grantee <> c.relowner
    group by 1 having count(distinct (c.oid, a.privilege_type)) = 4 * cardinality(v_tables)
  ) w;
  for g in
    select c.oid::regclass as name, ${roleOf('r.grantee')} as role
    from unnest(v_workers) r (grantee), (select c.oid from ${TABLES} and c.oid <> all (v_tables)) c
  loop
    execute format('grant select, insert, update, delete on %s to %s', g.name, g.role);
  end loop;
  for g in
    select f.oid::regprocedure as name, ${roleOf('r.grantee')} as role
    from (
      select unnest(v_workers) as grantee union
      select a.grantee from pg_proc f, aclexplode(f.proacl) a
      where f.oid = any (v_functions) and a.grantee <> f.proowner
      group by 1 having count(distinct f.oid) = cardinality(v_functions)
    ) r, (select f.oid from ${FUNCTIONS}) f
    where not has_function_privilege(r.grantee, f.oid, 'execute')
  loop
    execute format('grant execute on function %s to %s', g.name, g.role);
  end loop;
end $do$`;
