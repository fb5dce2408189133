// Rights after a migration: running processes continue, on hardened servers too, and no role may read more than before.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { grantSql, migrationSql } from '../../../packages/cluster/src/postgres/schema/print-sql.js';
import { nameSchema, openJournal, runSql } from '../support/journals.js';
import { createStranger, createTablesOf } from '../support/strangers.js';

const START = { agent: 'a', data: null };

/** A role that owns what it creates, and whose functions other roles may call only if it grants that. */
async function createHardenedOwner(): Promise<string> {
  const { role, url } = await createStranger();
  await runSql(`grant create on database postgres to "${role}"`);
  await runSql('alter default privileges revoke execute on functions from public', [], url);
  return url;
}

const sendAsVersion1 = (schema: string, key: string, url: string): Promise<unknown> =>
  runSql(
    `select id from "${schema}".enqueue($1, 'one', 'u', '"x"', 0, null, 'a', 'null', null, 's')`,
    [key],
    url,
  );

describe('where functions are nobody’s by default', () => {
  it.each([1, 2] as const)('a worker of version %i goes on', async (version) => {
    const schema = nameSchema('hardened');
    const owner = await createHardenedOwner();
    const { role, url } = await createStranger();
    await createTablesOf(version, schema, owner);
    await runSql(grantSql({ role, schema }), [], owner);
    await sendAsVersion1(schema, 'before', url);
    await runSql(migrationSql({ schema, from: version }), [], owner);
    await sendAsVersion1(schema, 'after', url);
    const [lease] = await runSql(`select epoch from "${schema}".take_lease('after', 'w', 60000)`, [], url);
    expect(
      await runSql(
        `select key from "${schema}".renew_leases(array['after'], $1, 60000)`,
        [[lease?.['epoch']]],
        url,
      ),
    ).toEqual([{ key: 'after' }]);
    // And so does one of this version, before grantSql() is run again.
    const journal = openJournal({ schema, connectionString: url, migrate: false });
    await journal.enqueue({ key: randomUUID(), id: 'one', content: 'x', start: START });
    expect(await journal.due(10)).toHaveLength(2);
    await journal.prune(0);
  });

  it('a role that may call everything, but not change all tables, still may; others may not', async () => {
    const schema = nameSchema('partly');
    const owner = await createHardenedOwner();
    const [caller, other] = [await createStranger(), await createStranger()];
    await createTablesOf(1, schema, owner);
    await runSql(grantSql({ role: caller.role, schema }), [], owner);
    await runSql(`revoke delete on "${schema}".counters from "${caller.role}"`, [], owner);
    await runSql(
      `grant usage on schema "${schema}" to "${other.role}"; grant execute on function "${schema}".hold(text, bigint) to "${other.role}"`,
      [],
      owner,
    );
    await openJournal({ schema, connectionString: owner }).open();
    const mayCall = (role: string): Promise<unknown[]> =>
      runSql(
        `select p.proname as name from pg_proc p
        where p.pronamespace = $1::regnamespace and has_function_privilege($2, p.oid, 'execute') order by 1`,
        [`"${schema}"`, role],
      );
    expect(await mayCall(caller.role)).toContainEqual({ name: 'tell_number' });
    expect(await mayCall(other.role)).toEqual([{ name: 'hold' }]);
  });
});

describe('a role that may read entries, and nothing else,', () => {
  const LARGE = {
    type: 'user',
    uuid: 'e',
    rows: Array.from({ length: 30_000 }, (_, id) => ({ id, note: '"paid"' })),
  };

  async function listRights(schema: string, role: string): Promise<unknown[]> {
    const rows = await runSql(
      `select c.relname || ' ' || a.privilege_type as may from pg_class c, aclexplode(c.relacl) a
      where c.relnamespace = $1::regnamespace and a.grantee = $2::regrole order by 1`,
      [`"${schema}"`, `"${role}"`],
    );
    return rows.map(({ may }) => may);
  }

  async function expectReader(schema: string, { role, url }: { role: string; url: string }): Promise<void> {
    const journal = openJournal({ schema });
    const key = randomUUID();
    await journal.enqueue({ key, id: 'one', content: 'x', start: START });
    const lease = await journal.lease(key, { owner: 'w', ms: 60_000 });
    if (lease.state !== 'granted') throw new Error(`The lease is ${lease.state}`);
    const at = { projectKey: 'p', sessionId: lease.conversation.sessionId };
    await journal.store(lease.fence).append(at, [{ type: 'user', uuid: 's' }, LARGE] as never);
    const rows = await runSql(`select entry from "${schema}".entries order by transcript, seq`, [], url);
    // Byte by byte what was appended.
    expect(rows.map(({ entry }) => entry)).toEqual([
      JSON.stringify({ type: 'user', uuid: 's' }),
      JSON.stringify(LARGE),
    ]);
    expect(await listRights(schema, role)).toEqual(['entries SELECT', 'kept_entries SELECT']);
    for (const table of ['contents', 'content_parts', 'calls', 'events'])
      await expect(runSql(`select from "${schema}".${table}`, [], url)).rejects.toMatchObject({
        code: '42501',
      });
  }

  it('reads them whole, and still nothing else, after a migration from version 1', async () => {
    const schema = nameSchema('reader');
    await createTablesOf(1, schema);
    const reader = await createStranger();
    await runSql(
      `grant usage on schema "${schema}" to "${reader.role}"; grant select on "${schema}".entries to "${reader.role}"`,
    );
    await openJournal({ schema }).open();
    await expectReader(schema, reader);
  });

  it('loses what version 2 granted beyond that, and those keep it who may read all that is in parts', async () => {
    const schema = nameSchema('reader');
    await createTablesOf(2, schema);
    const [reader, auditor] = [await createStranger(), await createStranger()];
    // As the migration from 1 to 2 did.
    const tables = ['kept_entries', 'contents', 'content_parts', 'entries'].map(
      (name) => `"${schema}".${name}`,
    );
    for (const { role } of [reader, auditor])
      await runSql(
        `grant usage on schema "${schema}" to "${role}"; grant select on ${tables.join(', ')} to "${role}"`,
      );
    await runSql(`grant select on "${schema}".calls, "${schema}".events to "${auditor.role}"`);
    await openJournal({ schema }).open();
    await expectReader(schema, reader);
    expect(await runSql(`select from "${schema}".content_parts`, [], auditor.url)).not.toEqual([]);
  });
});

describe('a role that may work but not migrate', () => {
  it.each([1, 2] as const)('is told who has to, with tables of version %i', async (version) => {
    const schema = nameSchema('lesser');
    await createTablesOf(version, schema);
    const { role, url } = await createStranger();
    await runSql(grantSql({ role, schema }));
    const error: unknown = await openJournal({ schema, connectionString: url })
      .open()
      .catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'JOURNAL_VERSION', retryable: false });
    const { message } = error as Error;
    expect(message).toContain(`at version ${version}`);
    expect(message).toContain('this role may not create or update them');
    expect(message).toContain('Run "inboard cluster migrate" as the role that owns them');
    expect(message).not.toContain('grantSql()');
  });

  it('is told so as well where there is nothing yet', async () => {
    const { url } = await createStranger();
    await expect(
      openJournal({ schema: nameSchema('none'), connectionString: url }).open(),
    ).rejects.toMatchObject({
      code: 'JOURNAL_VERSION',
      message: expect.stringContaining('are missing') as string,
    });
  });
});
