-- The three roles of this project, each with no more rights than it needs. Run it as an administrator, in the database of the
-- project, and again after a restore, which loses the rights on the database; put other passwords in. Roles that exist keep theirs.
-- What worker and API may do in the tables comes from the migration, which creates them.
do $$
begin
  if not exists (select from pg_roles where rolname = 'agent_owner') then
    create role agent_owner login password 'REPLACE-ME';
  end if;
  if not exists (select from pg_roles where rolname = 'agent_worker') then
    create role agent_worker login password 'REPLACE-ME';
  end if;
  if not exists (select from pg_roles where rolname = 'agent_api') then
    create role agent_api login password 'REPLACE-ME';
  end if;
end $$;

-- Nobody else comes in. Only the owner may create something, and only the migration has its password.
do $$
begin
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect, create on database %I to agent_owner', current_database());
  execute format('grant connect on database %I to agent_worker, agent_api', current_database());
end $$;
revoke create on schema public from public;

-- A statement that was forgotten keeps no row of a conversation locked.
alter role agent_worker set idle_in_transaction_session_timeout to '30s';
alter role agent_api set idle_in_transaction_session_timeout to '30s';
