import { expect, it } from 'vitest';
import { ChangeJournal, type ChangeRequest } from '../../../src/verbs/conversation/change-journal.js';

function recordInto(made: unknown[], fails: readonly string[] = []) {
  return {
    request: (request: ChangeRequest) => {
      made.push(request);
      return fails.includes(request.subtype) ? Promise.reject(new Error('refused')) : Promise.resolve();
    },
    setMcpServers: (servers: object) => {
      made.push(servers);
      return Promise.resolve();
    },
  };
}

it('makes the last change of each kind again, in order, servers first', async () => {
  const journal = new ChangeJournal();
  journal.note({ subtype: 'set_model', model: 'a' });
  journal.note({ subtype: 'mcp_toggle', serverName: 'x', enabled: false });
  journal.note({ subtype: 'mcp_toggle', serverName: 'y', enabled: false });
  journal.note({ subtype: 'mcp_toggle', serverName: 'x', enabled: true });
  journal.note({ subtype: 'apply_flag_settings', settings: { a: 1 } });
  journal.note({ subtype: 'apply_flag_settings', settings: { b: 1 } });
  journal.note({ subtype: 'set_model', model: 'b' });
  journal.note({ subtype: 'interrupt' });
  const servers = { own: { command: 'x' } };
  journal.noteServers(servers);
  const made: unknown[] = [];
  expect(await journal.apply(recordInto(made))).toEqual([]);
  expect(made).toEqual([
    servers,
    { subtype: 'mcp_toggle', serverName: 'y', enabled: false },
    { subtype: 'mcp_toggle', serverName: 'x', enabled: true },
    { subtype: 'apply_flag_settings', settings: { a: 1 } },
    { subtype: 'apply_flag_settings', settings: { b: 1 } },
    { subtype: 'set_model', model: 'b' },
  ]);
});

it('goes on after a change that is refused, and says which', async () => {
  const journal = new ChangeJournal();
  journal.note({ subtype: 'set_model', model: 'a' });
  journal.note({ subtype: 'set_permission_mode', mode: 'plan' });
  const made: unknown[] = [];
  const failures = await journal.apply(recordInto(made, ['set_model']));
  expect(made).toHaveLength(2);
  expect(failures).toMatchObject([
    { message: expect.stringContaining('"set_model"') as string, cause: { message: 'refused' } },
  ]);
});
