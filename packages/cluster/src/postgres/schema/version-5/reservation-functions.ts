// Version 5 of the tables: while a turn runs, it holds a part of its budgets back, so that turns that run at the same time do
// not spend the same money. Reservations of a budget are made one after the other. A turn that has to wait for others lines up,
// and is woken when one of them settles. Code of older versions reserves nothing, but settles what it takes over.

/** The smallest amount that is left of a budget. Sums of fractions are never exact. */
const SMALLEST_USD = 1e-6;
/** Seconds for which the money that has become free is kept for the turn that was woken for it. */
const PROMISED_S = 5;
/** How many locks there are for all budgets together. A budget has one of them by its name, so that no name is stored. */
const LOCKS = 64;
/** More days than any journal has. Sums without "days" go back that far. */
const ALL_DAYS = 100_000;

/** The transaction would not see what others have reserved while it waited for them. */
export const STALE_VIEW = 'IB008';

export const RESERVATION_FUNCTIONS_5 = `
create table budget_locks (
  slot integer primary key
);
insert into budget_locks (slot) select generate_series(0, ${LOCKS - 1});

create table reservations (
  conversation bigint primary key references conversations on delete cascade,
  turn text not null,
  epoch bigint not null,
  -- Whom the conversation belongs to, as in spending.
  scope text collate "C" not null,
  -- The budgets that the turn shares with other conversations.
  scopes text[] not null,
  usd double precision not null,
  -- While the turn waits: the budget that it waits for, what it wants of it, and when it was woken.
  blocked text collate "C",
  wanted double precision,
  waits_since timestamptz,
  woken_at timestamptz
) with (fillfactor = 70);
create index reservations_of_scope on reservations (scope);
create index reservations_waiting on reservations (blocked, waits_since) where blocked is not null and woken_at is null;

-- Sums over the days of one tenant.
create index spending_of_scope on spending (scope, day);

-- What all conversations together have spent on days to which nothing is added any more: all before yesterday. A tenant that is
-- forgotten changes no such sum.
create table spending_days (
  day date primary key,
  usd double precision not null
);
insert into spending_days (day, usd)
select day, sum(usd) from spending where day < (clock_timestamp() at time zone 'UTC')::date - 1 group by day;

-- Lets one transaction at a time change what is reserved of these budgets, always in one order.
create or replace function lock_budgets(p_scopes text[]) returns void language plpgsql as $$
begin
  perform from budget_locks where slot in (select abs(hashtext(s.scope) % ${LOCKS}) from unnest(p_scopes) as s (scope))
  order by slot for update;
end $$;

-- Wakes the turn that has waited longest for each of these budgets, which are locked. With p_rest only one that can have what it
-- wants of that. With p_after the first such one of those that lined up later. A conversation that is locked is being worked on: to
-- wait for it could be to wait for a transaction that waits for this one, so the next in line is woken.
create or replace function wake_waiting(
  p_scopes text[], p_rest double precision, p_left double precision, p_after timestamptz default null
) returns void language plpgsql as $$
declare v_scope text; r reservations; c conversations;
begin
  foreach v_scope in array p_scopes loop
    for r in
      select * from reservations
      where blocked = v_scope and woken_at is null and (p_after is null or waits_since > p_after) order by waits_since, conversation
    loop
      if p_rest + ${SMALLEST_USD / 1000} < r.wanted and (r.wanted < 'Infinity' or p_rest < p_left / 2) then
        exit when p_after is null;
        continue;
      end if;
      select * into c from conversations where number = r.conversation for no key update skip locked;
      continue when not found;
      update reservations set woken_at = clock_timestamp()
      where conversation = c.number and turn = r.turn and blocked = v_scope and woken_at is null;
      continue when not found;
      update turns set not_before = null
      where conversation = c.number and id = r.turn and state = 'running' and not_before is not null;
      if found then
        perform settle(c.number);
        perform tell('inbox', c.key);
      end if;
      exit;
    end loop;
  end loop;
end $$;

-- What was reserved, or promised to a turn that was woken, is free for the next.
create or replace function reservation_gone() returns trigger language plpgsql as $$
begin
  if old.blocked is null or old.woken_at is not null then
    perform lock_budgets(old.scopes);
    perform wake_waiting(old.scopes, null, null);
  end if;
  return null;
end $$;
create trigger reservation_gone after delete on reservations for each row execute function reservation_gone();

-- What a turn holds back, or is promised to one that was woken.
create or replace function held(p_reservation reservations, p_now timestamptz) returns double precision language sql stable as $$
  select case
    when p_reservation.blocked is null then p_reservation.usd
    when p_reservation.woken_at > p_now - interval '${PROMISED_S} seconds' then p_reservation.wanted
    else 0
  end
$$;

-- Reserves money for the turn under way: 'reserved' with the amount, 'used up' or 'taken' with the place of the budget that is in
-- the way. p_cost is what the turn is known to have cost, which is counted now.
create or replace function reserve_budget(
  p_key text, p_epoch bigint, p_turn text, p_budgets text[], p_usd double precision[], p_days integer[],
  p_at_most double precision, p_cost double precision, p_waits boolean,
  out answer text, out usd double precision, out budget integer
) language plpgsql as $$
#variable_conflict use_column
declare
  c conversations; t turns; v_scopes text[]; v_now timestamptz; v_today date; v_more double precision;
  v_scope text; v_last date; v_lowers boolean; v_since timestamptz; v_left double precision; v_least integer; v_free double precision; v_tightest integer; v_wanted double precision;
begin
  if current_setting('transaction_isolation') not in ('read committed', 'read uncommitted') then
    raise exception 'budgets need transactions that are read committed' using errcode = '${STALE_VIEW}';
  end if;
  c := hold(p_key, p_epoch);
  t := turn_under_way(c.number, p_turn);
  v_more := greatest(coalesce(p_cost, 0) - t.cost_usd, 0);
  if v_more > 0 then
    update turns set cost_usd = cost_usd + v_more where conversation = t.conversation and place = t.place;
    perform spend(c, v_more);
  end if;
  v_scope := scope_of(c.tenant);
  v_scopes := array(
    select distinct case b.name when 'tenant' then v_scope else 'all' end
    from unnest(p_budgets) as b (name) where b.name <> 'conversation'
  );
  perform lock_budgets(v_scopes);
  v_now := clock_timestamp();
  v_today := (v_now at time zone 'UTC')::date;
  if 'cluster' = any (p_budgets) then
    select max(n.day) into v_last from spending_days n;
    insert into spending_days (day, usd)
    select n.day, sum(n.usd) from spending n
    where n.day > coalesce(v_last, v_today - ${ALL_DAYS}) and n.day < v_today - 1 group by n.day
    on conflict do nothing;
  end if;
  -- One statement, and so one moment: a turn that settles is counted either as reserved or as spent.
  with rests as (
    select b.place, b.usd - s.spent as settled, b.usd - s.spent - o.reserved as free
    from unnest(p_budgets, p_usd, p_days) with ordinality as b (name, usd, days, place)
    cross join lateral (
      select case
        when b.name = 'conversation' and b.days is null then (select n.cost_usd from conversations n where n.number = c.number)
        when b.name = 'conversation' then (
          select coalesce(sum(n.cost_usd), 0) from turns n where n.conversation = c.number
            and coalesce(n.ended_at, n.started_at, n.sent_at) >= (v_today - b.days + 1)::timestamp at time zone 'UTC'
        )
        -- Each sum reads an index from its first day on, because other turns wait for this one.
        when b.name = 'tenant' then (
          select coalesce(sum(n.usd), 0) from spending n
          where n.scope = v_scope and n.day > v_today - least(b.days, ${ALL_DAYS})
        )
        else (
          select coalesce(sum(n.usd), 0) from spending_days n
          where n.day > v_today - least(b.days, ${ALL_DAYS}) and n.day < v_today - 1
        ) + (
          select coalesce(sum(n.usd), 0) from spending n where n.day >= v_today - 1 and n.day > v_today - least(b.days, 2)
        )
      end as spent
    ) s
    cross join lateral (
      select case b.name
        when 'conversation' then 0
        when 'tenant' then (
          select coalesce(sum(held(n, v_now)), 0) from reservations n where n.conversation <> c.number and n.scope = v_scope
        )
        else (select coalesce(sum(held(n, v_now)), 0) from reservations n where n.conversation <> c.number)
      end as reserved
    ) o
  )
  select
    (select x.settled from rests x order by x.settled, x.place limit 1), (select x.place from rests x order by x.settled, x.place limit 1),
    (select x.free from rests x order by x.free, x.place limit 1), (select x.place from rests x order by x.free, x.place limit 1)
  into v_left, v_least, v_free, v_tightest;

  -- Who only gives some of it back works on, whatever others have spent in the meantime.
  v_lowers := p_cost is null and exists (
    select from reservations n where n.conversation = c.number and n.turn = p_turn and n.epoch = p_epoch
      and n.blocked is null and n.usd > p_at_most
  );
  if v_left < ${SMALLEST_USD} and not v_lowers then
    answer := 'used up'; budget := v_least;
    delete from reservations where conversation = c.number;
    -- The same goes for the turns that wait.
    perform wake_waiting(v_scopes, null, null);
    return;
  end if;
  v_wanted := case when v_lowers then p_at_most else least(p_at_most, v_left) end;
  if v_lowers or (v_free >= ${SMALLEST_USD}
    and v_free >= (case when p_at_most is null then v_left / 2 else v_wanted - ${SMALLEST_USD / 1000} end)) then
    answer := 'reserved';
    usd := case when p_at_most is null then v_free else v_wanted end;
    insert into reservations (conversation, turn, epoch, scope, scopes, usd)
    values (c.number, p_turn, p_epoch, v_scope, v_scopes, reserve_budget.usd)
    on conflict (conversation) do update set turn = excluded.turn, epoch = excluded.epoch, scopes = excluded.scopes, usd = excluded.usd,
      blocked = null, wanted = null, waits_since = null, woken_at = null;
    perform wake_waiting(v_scopes, v_free - reserve_budget.usd, v_left);
    return;
  end if;
  answer := 'taken'; usd := greatest(v_free, 0); budget := v_tightest;
  if not p_waits then
    delete from reservations where conversation = c.number;
    return;
  end if;
  insert into reservations (conversation, turn, epoch, scope, scopes, usd, blocked, wanted, waits_since)
  values (c.number, p_turn, p_epoch, v_scope, v_scopes, 0,
    case p_budgets[v_tightest] when 'tenant' then v_scope else 'all' end,
    case when p_at_most is null then 'Infinity' else v_wanted end, v_now)
  on conflict (conversation) do update set turn = excluded.turn, epoch = excluded.epoch, scopes = excluded.scopes, usd = 0,
    blocked = excluded.blocked, wanted = excluded.wanted, woken_at = null,
    waits_since = coalesce(reservations.waits_since, excluded.waits_since)
  returning waits_since into v_since;
  -- What is free, but too little for this turn, may be enough for one behind it.
  if v_free >= ${SMALLEST_USD} then perform wake_waiting(v_scopes, v_free, v_left, v_since); end if;
end $$;
`;
