// Version 3 of the tables: a role that may read the view `entries` gets whole entries without a right on the tables of
// contents. Those tables contain the large results and events of all conversations. Version 2 also granted a right on them.

export const ENTRIES_VIEW_3 = `
-- As version 1 reads it. A view reads tables with the rights of its owner, but calls functions with those of who asks: the parts are
-- put together here.
create or replace view entries as
  select e.transcript, e.seq, e.uuid, e.epoch, case when e.content is null then e.entry else (
    with recursive pieces (path, text, inner_content) as (
      select array[p.place], p.text, p.inner_content from content_parts p where p.content = e.content
      union all
      select o.path || p.place, p.text, p.inner_content from pieces o join content_parts p on p.content = o.inner_content
    )
    select string_agg(o.text, '' order by o.path) from pieces o where o.text is not null
  ) end as entry
  from kept_entries e;

-- What version 2 granted because of \`entries\` alone. Who has the same right on all that is kept in parts keeps it.
do $$
declare g record;
begin
  for g in
    select a.grantee, a.privilege_type, a.oid from (
      select t.oid, t.relname, t.relowner, x.grantee, x.privilege_type from pg_class t, aclexplode(t.relacl) x
      where t.oid in ('contents'::regclass, 'content_parts'::regclass)
    ) a
    where a.grantee <> a.relowner and a.privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
      and (
        select count(*) filter (where r.oid = 'kept_entries'::regclass) > 0 and count(distinct r.oid) < 3
        from pg_class r, aclexplode(r.relacl) x
        where r.oid in ('kept_entries'::regclass, 'calls'::regclass, 'events'::regclass)
          and x.grantee = a.grantee and x.privilege_type = a.privilege_type
      )
  loop
    execute format('revoke %s on %s from %s', g.privilege_type, g.oid::regclass,
      case when g.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(g.grantee)) end);
  end loop;
end $$;
`;
