// Settings, and line ends in what is read and written.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { query, resolveSettings, run } from 'inboard';
import { askPermission, createFakeCli, inChunks, raw, stderr, text, toolUse } from 'inboard/testing';
import { createFake, createMath, put, startNode } from '../support.mjs';

function withUser(play) {
  return async (context) => {
    const before = process.env.CLAUDE_CONFIG_DIR;
    const config = join(context.place, 'config');
    process.env.CLAUDE_CONFIG_DIR = config;
    context.after(() => (process.env.CLAUDE_CONFIG_DIR = before));
    const cwd = join(context.place, 'work');
    put(join(cwd, 'x'), '');
    await play({ ...context, config, cwd });
  };
}

const POLICY = 'C:\\Program Files\\ClaudeCode';

const cases = {
  'settings with CRLF': async ({ config, cwd }) => {
    put(
      join(config, 'settings.json'),
      '{\r\n  "model": "opus",\r\n  "permissions": { "allow": ["Bash(dir)"] }\r\n}\r\n',
    );
    const { effective, problems } = await resolveSettings({ cwd });
    assert.equal(effective.model, 'opus');
    assert.deepEqual(effective.permissions.allow, ['Bash(dir)']);
    assert.deepEqual(problems, []);
  },
  'settings with a byte order mark, as Notepad writes it': async ({ config, cwd }) => {
    put(join(config, 'settings.json'), '\uFEFF{ "model": "opus" }');
    assert.equal((await resolveSettings({ cwd })).effective.model, 'opus');
  },
  'settings in UTF-16, as PowerShell writes them, are named as a problem': async ({ config, cwd }) => {
    put(join(config, 'settings.json'), Buffer.from('\uFEFF{ "model": "opus" }', 'utf16le'));
    const { problems } = await resolveSettings({ cwd });
    assert.equal(problems[0]?.path, join(config, 'settings.json'));
  },
  'settings of a project, named by a path with backslashes': async ({ cwd }) => {
    const path = put(join(cwd, '.claude', 'settings.json'), '{ "env": { "A": "1" } }');
    const { effective, provenance } = await resolveSettings({ cwd });
    assert.equal(effective.env.A, '1');
    assert.equal(provenance.env.path, path);
  },
  'settings of a project that is given with slashes and in another case': async ({ cwd }) => {
    put(join(cwd, '.claude', 'settings.json'), '{ "env": { "A": "1" } }');
    const { effective } = await resolveSettings({ cwd: cwd.replaceAll('\\', '/').toUpperCase() });
    assert.equal(effective.env.A, '1');
  },
  'a folder in place of a settings file is named as a problem': async ({ config, cwd }) => {
    put(join(config, 'settings.json', 'x'), '');
    const { problems } = await resolveSettings({ cwd });
    assert.equal(problems.length, 1);
  },
  'the policy of the machine is read from Program Files': async ({ after, cwd }) => {
    const { rmSync } = await import('node:fs');
    put(`${POLICY}\\managed-settings.json`, '{ "env": { "POLICY": "1" } }\r\n');
    put(`${POLICY}\\managed-settings.d\\more.json`, '{ "env": { "MORE": "1" } }\r\n');
    after(() => rmSync(POLICY, { recursive: true }));
    const { effective } = await resolveSettings({ cwd });
    assert.equal(effective.env.POLICY, '1');
    assert.equal(effective.env.MORE, '1');
  },
  'a rule that a person wants to keep is written into settings with CRLF': async ({ after, cwd }) => {
    const path = put(join(cwd, '.claude', 'settings.local.json'), '{\r\n  "env": { "A": "1" }\r\n}\r\n');
    const fake = createFake(after, [
      toolUse('Bash', { command: 'dir' }, { permission: 'ask', result: 'fine' }),
      text('Done.'),
    ]);
    await run({
      prompt: 'Hi',
      options: {
        transport: fake.transport,
        cwd,
        canUseTool: async (_, input) => ({
          behavior: 'allow',
          updatedInput: input,
          updatedPermissions: [
            {
              type: 'addRules',
              behavior: 'allow',
              destination: 'localSettings',
              rules: [{ toolName: 'Bash', ruleContent: 'dir' }],
            },
          ],
        }),
      },
    });
    // The CLI writes such a rule; a fake one writes nothing.
    assert.equal(JSON.parse(readFileSync(path, 'utf8')).env.A, '1');
  },
  'lines of the CLI that end with CRLF': async ({ after }) => {
    const fake = createFake(after, [raw('{"type":"system","subtype":"from_windows"}\r\n'), text('Done.')]);
    const seen = [];
    for await (const { type, subtype } of query({
      prompt: 'Hi',
      options: { transport: fake.transport, settingSources: [] },
    }))
      seen.push(`${type} ${subtype}`);
    assert.ok(seen.includes('system from_windows'), seen.join());
  },
  'CRLF between two pieces of a pipe': async ({ after }) => {
    const fake = createFake(after, [
      inChunks(1, raw('{"type":"system","subtype":"from_windows"}\r\n')),
      text('Done.'),
    ]);
    const seen = [];
    for await (const { subtype } of query({
      prompt: 'Hi',
      options: { pathToClaudeCodeExecutable: await fake.executable(), settingSources: [] },
    }))
      seen.push(subtype);
    assert.ok(seen.includes('from_windows'), seen.join());
  },
  'CRLF inside of texts is left as it is, in both directions': async ({ after }) => {
    const fake = createFake(after, [text('one\r\ntwo\r\n')]);
    const { text: said } = await run({
      prompt: 'a\r\nb',
      options: { pathToClaudeCodeExecutable: await fake.executable(), settingSources: [] },
    });
    assert.equal(said, 'one\r\ntwo\r\n');
    assert.deepEqual(fake.sessions[0].prompts, ['a\r\nb']);
  },
  'letters beyond ASCII arrive whole through pipes': async ({ after }) => {
    const fake = createFake(after, [inChunks(1, text('Grüße, 世界 \u{1F9E9}'))]);
    const { text: said } = await run({
      prompt: 'Füße 世界',
      options: { pathToClaudeCodeExecutable: await fake.executable(), settingSources: [] },
    });
    assert.equal(said, 'Grüße, 世界 \u{1F9E9}');
    assert.deepEqual(fake.sessions[0].prompts, ['Füße 世界']);
  },
  'lines on standard error that end with CRLF': async ({ after }) => {
    const fake = createFake(after, [stderr('one\r\ntwo\r\n'), text('Done.')]);
    const said = [];
    await run({
      prompt: 'Hi',
      options: {
        pathToClaudeCodeExecutable: await fake.executable(),
        settingSources: [],
        stderr: (line) => said.push(line),
      },
    });
    assert.match(said.join(''), /one\r?\n?two/);
  },
  'four megabytes in one line, in both directions': async ({ after }) => {
    const { server } = createMath();
    const long = 'ü'.repeat(2_000_000);
    const fake = createFake(after, [text(long)]);
    const { text: said } = await run({
      prompt: long,
      options: {
        pathToClaudeCodeExecutable: await fake.executable(),
        settingSources: [],
        mcpServers: { math: server },
      },
    });
    assert.equal(said, long);
    assert.deepEqual(fake.sessions[0].prompts, [long]);
  },
  'a file of this user has no modes, and is written all the same': async ({ place }) => {
    const file = put(join(place, 'x'), '');
    assert.equal(statSync(file).mode & 0o077, 0o066);
    const { code } = await startNode(['-e', 'process.exit(process.getuid === undefined ? 0 : 1)'], {
      input: '',
    }).done;
    assert.equal(code, 0);
  },
};
void [askPermission, createFakeCli];

export const CASES = Object.fromEntries(Object.entries(cases).map(([name, play]) => [name, withUser(play)]));
