import { describe, expect, it } from 'vitest';
import { InvalidOptionsError, UnsupportedOptionError } from '../../../src/errors.js';
import { askToGoOn, GOES_ON_SINCE } from '../../../src/options/launch/go-on-variables.js';
import {
  planForAll,
  planLaunch,
  type LaunchPlan,
  type LaunchRequest,
} from '../../../src/options/launch/launch-plan.js';
import type { Options } from '../../../src/options/options.js';
import { createFullOptions } from '../full-options.js';

const UUID = '66666666-6666-4666-8666-666666666666';
const hostEnv = { PATH: '/bin' };
const store = { append: () => Promise.resolve(), load: () => Promise.resolve(null) };
const restored = { sessionId: UUID, configDir: '/tmp/restored' };

function plan(options: Options, more: Partial<LaunchRequest> = {}): LaunchPlan {
  return planLaunch({ options, version: '2.1.325', hostEnv, platform: 'linux', ...more });
}

function codesOf(made: LaunchPlan): string[] {
  return made.warnings.map((warning) => warning.code);
}

describe('planLaunch', () => {
  it('changes nothing it was given', () => {
    const options = createFullOptions();
    const before = JSON.stringify(options);
    plan(options);
    plan(
      { promptSuggestions: false, systemPrompt: { type: 'custom', prompt: 'p', snapshot: false } },
      { version: '2.1.33' },
    );
    expect(JSON.stringify(options)).toBe(before);
  });

  it('resumes what a store gave back from where its files are', () => {
    const made = plan(
      { continue: true, sessionStore: store, env: { CLAUDE_CONFIG_DIR: '/mine' } },
      { restored },
    );
    expect(made.args.slice(5)).toStrictEqual([`--resume=${UUID}`, '--session-mirror']);
    expect(made.env['CLAUDE_CONFIG_DIR']).toBe('/tmp/restored');
  });

  it('checks the session options again once it is known what is resumed', () => {
    const options: Options = { continue: true, sessionStore: store, sessionId: UUID };
    expect(plan(options).args).toContain(`--session-id=${UUID}`);
    expect(() => plan(options, { restored })).toThrow(InvalidOptionsError);
    expect(plan({ ...options, forkSession: true }, { restored }).args).toContain('--fork-session');
    const cut: Options = { continue: true, sessionStore: store, resumeSessionAt: UUID };
    expect(() => plan(cut)).toThrow(InvalidOptionsError);
    expect(plan(cut, { restored }).args).toContain(`--resume-session-at=${UUID}`);
  });

  it('lets a CLI go on by itself only if it says so and tells the model which calls were cut off', () => {
    const variables = {
      CLAUDE_CODE_RESUME_INTERRUPTED_TURN: '1',
      CLAUDE_CODE_RESUME_SHOWS_CUT_OFF_CALLS: '1',
    };
    const asked = askToGoOn<Options>({ resume: UUID });
    expect(plan(asked).env).toMatchObject(variables);
    expect(plan(asked, { version: undefined }).env).toMatchObject(variables);
    expect(plan(asked, { version: GOES_ON_SINCE }).env).toMatchObject(variables);
    // 2.1.197 goes on, but neither says it nor shows the calls; 2.1.33 does not go on.
    for (const version of ['2.1.308', '2.1.197', '2.1.33'])
      expect(Object.keys(plan(asked, { version }).env)).not.toEqual(
        expect.arrayContaining([expect.stringContaining('CLAUDE_CODE_RESUME_')]),
      );
    expect(plan(askToGoOn<Options>({ env: { A: '1' } }), { version: '2.1.197' }).env).toMatchObject({
      A: '1',
    });
    expect(planForAll({ options: asked, hostEnv })).toBeUndefined();
    // A program that sets one of them itself has its reasons.
    const own = { CLAUDE_CODE_RESUME_INTERRUPTED_TURN: '1' };
    expect(plan({ extendEnv: own }, { version: '2.1.197' }).env).toMatchObject(own);
  });

  it('puts nothing into files for a custom spawner, and says so', () => {
    const options: Options = {
      mcpServers: { s: { command: 'x'.repeat(200_000) } },
      spawnClaudeCodeProcess: () => {
        throw new Error('not to be called');
      },
    };
    const made = plan(options);
    expect(made.files).toStrictEqual([]);
    expect(made.args.at(-1)).toContain('xxx');
    expect(made.warnings).toMatchObject([{ code: 'ARGUMENTS_LARGE', options: ['mcpServers'] }]);
  });
});

describe('the schema of an answer in planLaunch', () => {
  const outputFormat = {
    type: 'json_schema' as const,
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { mail: { type: 'string', format: 'email' } },
    },
  };
  const readFlag = ({ args }: LaunchPlan): unknown =>
    JSON.parse(args.find((word) => word.startsWith('--json-schema='))?.slice('--json-schema='.length) ?? '');

  it('has the form the CLI takes, on the command line and in the handshake', () => {
    const made = plan({ outputFormat });
    const { $schema: _, ...schema } = outputFormat.schema;
    expect(readFlag(made)).toEqual(schema);
    expect(made.initialize.jsonSchema).toEqual(schema);
    expect(codesOf(made)).toEqual([]);
  });

  it.each(['2.1.33', '2.1.204'])(
    'has no formats for %s; that is said unless the answer is checked here',
    (version) => {
      const made = plan({ outputFormat }, { version });
      expect(readFlag(made)).toEqual({
        type: 'object',
        properties: {
          mail: { type: 'string', description: expect.stringContaining('"format":"email"') as string },
        },
      });
      expect(made.initialize.jsonSchema).toEqual(readFlag(made));
      expect(codesOf(made)).toEqual(['SCHEMA_LIMITS_UNCHECKED']);
      expect(made.warnings[0]?.message).toContain('format at #/properties/mail');
      expect(codesOf(plan({ outputFormat, output: outputFormat.schema }, { version }))).toEqual([]);
    },
  );
});

describe('the CLI version in planLaunch', () => {
  it.each(['2.1.33', '2.1.325', undefined])(
    'keeps what may be secret off a command line that everybody can read: CLI %s',
    (version) => {
      const settings = { env: { TOKEN: 'secret-1' } };
      const mcpServers = {
        far: { type: 'http' as const, url: 'https://x.test/?key=secret-2', headers: { a: 'secret-3' } },
        near: { command: 'node', args: ['secret-4'], env: { KEY: 'secret-5' } },
      };
      const given: Options[] = [
        { settings, mcpServers },
        { settings: JSON.stringify(settings), mcpServers },
        { settings: ` ${JSON.stringify(settings)}`, sandbox: { enabled: false }, mcpServers },
      ];
      for (const options of given) {
        const { args, files } = plan(options, { version });
        expect(files.map((file) => file.name)).toStrictEqual(['mcpServers.json', 'settings.json']);
        expect(args.join(' ')).not.toContain('secret');
        const found = files.map((file) => file.content).join(' ');
        for (const number of [1, 2, 3, 4, 5]) expect(found).toContain(`secret-${number}`);
      }
      expect(plan({ settings: '/my/settings.json' }, { version }).files).toStrictEqual([]);
      expect(plan({ settings: '-my.json' }, { version }).args.at(-1)).toBe('./-my.json');
    },
  );

  it('leaves the names of in-process servers on the command line, and everything for a machine without these files', () => {
    const demo = { type: 'sdk', name: 'demo', instance: { connect: async () => {} } } as never;
    const own = plan({ sdkServerRegistration: 'argv', mcpServers: { demo } });
    expect(own).toMatchObject({ files: [] });
    expect(own.args.at(-1)).toContain('"type":"sdk"');
    const settings = { env: { TOKEN: 'secret' } };
    for (const elsewhere of [{ spawnClaudeCodeProcess: () => null }, { transport: () => null }]) {
      const made = plan({ settings, ...elsewhere } as unknown as Options);
      expect(made.files).toStrictEqual([]);
      expect(made.args.at(-1)).toBe(JSON.stringify(settings));
    }
  });

  it.each([undefined, 'unknown', ''])(
    'uses the newest form for a CLI of version %s, with a warning',
    (version) => {
      const made = plan(createFullOptions(), { version });
      expect(made.args).toStrictEqual(plan(createFullOptions()).args);
      expect(codesOf(made)).toStrictEqual(['CLI_VERSION_UNKNOWN']);
    },
  );

  it.each(['2.1.325', '2.1.326', '2.2.0', '3.0.0', '2.1.400-beta.1'])(
    'accepts %s without a warning',
    (version) => {
      const made = plan(createFullOptions(), { version });
      expect(JSON.stringify(made)).toBe(JSON.stringify(plan(createFullOptions())));
      expect(codesOf(made)).toStrictEqual([]);
    },
  );

  it('tries a CLI older than the oldest supported one, with a warning', () => {
    const made = plan({ model: 'm' }, { version: '2.1.0' });
    expect(made.args).toStrictEqual(plan({ model: 'm' }).args);
    expect(made.initialize).toStrictEqual({ systemPrompt: '' });
    expect(codesOf(made)).toStrictEqual(['CLI_VERSION_UNSUPPORTED']);
    expect(made.warnings[0]?.message).toContain('2.1.0');
    expect(() => plan({ title: 'T' }, { version: '2.1.0' })).toThrow(UnsupportedOptionError);
  });
});
