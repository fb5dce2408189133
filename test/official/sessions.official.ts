// Both sets of functions on the same folders: the recorded cases, thousands of folders made by chance, and what
// is left on disk after a change. With INBOARD_RECORD set, the official answers to the cases are written down.
import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { beforeAll, describe, expect, it } from 'vitest';
import * as ours from '../../packages/inboard/src/index.js';
import { createConfigFolder } from '../../packages/core/test/record/history/support/config-folder.js';
import { idOf, SESSION } from '../../packages/core/test/record/history/support/entries.js';
import { RECORDED_CASES } from '../../packages/core/test/record/history/support/recorded-cases.js';
import {
  askCase,
  recordAnswer,
  type Question,
} from '../../packages/core/test/record/history/support/session-case.js';
import { createChance } from './chance.js';
import { loadOfficial, type SessionFunctions } from './official-sdk.js';
import { createRandomConversation } from './random-conversation.js';
import { createRandomMark, createRandomTranscript } from './random-transcript.js';

const RUNS = Number(process.env['INBOARD_COMPARE_RUNS'] ?? 500);
/** Every third seed, from the first, second or third on, as the commit has it; all of them with `compare-official.mjs --all`. */
const STEP = process.env['INBOARD_COMPARE_SEED'] === undefined ? 1 : 3;
const FIRST = 1 + (Number(process.env['INBOARD_COMPARE_SEED'] ?? 0) % STEP);
const RECORDING = new URL('../fixtures/official-sessions.json', import.meta.url);

let official: SessionFunctions;
beforeAll(async () => {
  official = await loadOfficial();
});

const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

describe('the recorded cases', () => {
  for (const [group, cases] of Object.entries(RECORDED_CASES)) {
    it.each(cases)(`${group}: $name`, async (given) => {
      expect(toJson(await askCase(ours, given))).toEqual(toJson(await askCase(official, given)));
    });
  }

  it.runIf(process.env['INBOARD_RECORD'])('are recorded', async () => {
    const answers: Record<string, Record<string, unknown>> = {};
    for (const [group, cases] of Object.entries(RECORDED_CASES)) {
      const recorded: Record<string, unknown> = (answers[group] = {});
      for (const given of cases) recorded[given.name] = (await askCase(official, given)).map(recordAnswer);
    }
    const style = await resolveConfig(RECORDING);
    writeFileSync(RECORDING, await format(JSON.stringify(answers), { ...style, parser: 'json' }));
  });
});

describe('folders made by chance', () => {
  it(`get the same answers, by ${Math.round(RUNS / STEP)} seeds`, async () => {
    for (let seed = FIRST; seed <= RUNS; seed += STEP) {
      const chance = createChance(seed);
      const files: Record<string, string> = {};
      const times: Record<string, number> = {};
      const numbers = chance.list(1 + chance.below(3), (index) => index + 1);
      for (const number of numbers) {
        files[`-p/${idOf(number)}.jsonl`] = createRandomTranscript(chance);
        times[`-p/${idOf(number)}.jsonl`] = 1_700_000_000 + chance.below(3);
        if (chance.next() < 0.4) files[`-p/${idOf(number)}/archived.json`] = createRandomMark(chance);
      }
      const questions: Question[] = [
        ['listSessions'],
        ['listSessions', { limit: chance.pick([1, 2]), offset: chance.pick([0, 1]) }],
        ['listSessions', { includeProgrammatic: false }],
        ...numbers.map((number): Question => ['getSessionInfo', idOf(number)]),
        ...numbers.map((number): Question => ['getSessionMessages', idOf(number)]),
      ];
      const given = { name: `seed ${seed}`, files, times, questions };
      expect(toJson(await askCase(ours, given)), given.name).toEqual(toJson(await askCase(official, given)));
    }
  });
});

describe('conversations made by chance', () => {
  it(`have the same messages, by ${Math.round((RUNS * 4) / STEP)} seeds`, async () => {
    for (let seed = FIRST; seed <= RUNS * 4; seed += STEP) {
      const chance = createChance(seed);
      const given = {
        name: `seed ${seed}`,
        files: { [`-p/${SESSION}.jsonl`]: createRandomConversation(chance) },
        questions: [['getSessionMessages', SESSION, { includeSystemMessages: chance.next() < 0.5 }] as const],
      };
      expect(toJson(await askCase(ours, given)), given.name).toEqual(toJson(await askCase(official, given)));
    }
  });

  it(`are forked into the same entries, by ${Math.round(RUNS / STEP)} seeds`, async () => {
    for (let seed = FIRST; seed <= RUNS; seed += STEP) {
      const endsEarly = seed % 2 === 0;
      const entries = createRandomConversation(createChance(seed), { isPlain: endsEarly });
      const messages = entries.flatMap(({ uuid }) => uuid ?? []);
      const upToMessageId = endsEarly ? createChance(seed).pick(messages) : undefined;
      const fork = (functions: SessionFunctions): Promise<unknown> =>
        changeFolder({ [`-p/${SESSION}.jsonl`]: entries }, () =>
          functions.forkSession(SESSION, { upToMessageId }),
        );
      expect(await fork(ours), `seed ${seed}`).toEqual(await fork(official));
    }
  });
});

const changes: Record<string, (functions: SessionFunctions) => Promise<unknown>> = {
  rename: ({ renameSession }) => renameSession(SESSION, '  New '),
  'rename without a name': ({ renameSession }) => renameSession(SESSION, '  '),
  'rename what is not there': ({ renameSession }) => renameSession(idOf(9), 'x'),
  'rename elsewhere': ({ renameSession }) => renameSession(SESSION, 'x', { dir: '/nowhere' }),
  tag: ({ tagSession }) => tagSession(SESSION, ' a\u200bＡ\u{e0041}\ud800 '),
  'take a tag away': ({ tagSession }) => tagSession(SESSION, null),
  'tag with nothing': ({ tagSession }) => tagSession(SESSION, ' \u200b '),
  archive: ({ archiveSession }) => archiveSession(SESSION),
  unarchive: ({ unarchiveSession }) => unarchiveSession(SESSION),
  'archive what is not there': ({ archiveSession }) => archiveSession(idOf(9)),
  delete: ({ deleteSession }) => deleteSession(SESSION),
  'delete what is not there': ({ deleteSession }) => deleteSession(idOf(9)),
  'delete what has no id': ({ deleteSession }) => deleteSession('abc'),
  fork: ({ forkSession }) => forkSession(SESSION, { title: ' Mine ' }),
  'fork what is not there': ({ forkSession }) => forkSession(idOf(9)),
  'fork up to nowhere': ({ forkSession }) => forkSession(SESSION, { upToMessageId: idOf(77) }),
};

describe('changes', () => {
  it.each(Object.entries(changes))('%s: leaves the same on disk', async (_, change) => {
    const files = {
      [`-p/${SESSION}.jsonl`]: createRandomConversation(createChance(7)),
      [`-p/${SESSION}/subagents/agent-a.jsonl`]: createRandomConversation(createChance(8)),
      [`-q/${idOf(2)}.jsonl`]: createRandomConversation(createChance(9)),
    };
    expect(await changeFolder(files, () => change(ours))).toEqual(
      await changeFolder(files, () => change(official)),
    );
  });
});

describe('transcripts made by chance', () => {
  const byChance: Record<string, (functions: SessionFunctions) => Promise<unknown>> = {
    rename: ({ renameSession }) => renameSession(SESSION, 'New'),
    tag: ({ tagSession }) => tagSession(SESSION, 'mark'),
    fork: ({ forkSession }) => forkSession(SESSION),
    archive: ({ archiveSession }) => archiveSession(SESSION),
    delete: ({ deleteSession }) => deleteSession(SESSION),
  };

  it.each(Object.entries(byChance))(
    `%s leaves the same bytes, and the same descriptions, by ${Math.round(RUNS / STEP)} seeds`,
    async (_, change) => {
      for (let seed = FIRST; seed <= RUNS; seed += STEP) {
        const made = createRandomTranscript(createChance(seed));
        const text = made === '' || made.endsWith('\n') ? made : `${made}\n`;
        const told = async (functions: SessionFunctions): Promise<unknown> =>
          await changeFolder({ [`-p/${SESSION}.jsonl`]: text }, () => change(functions), {
            read: (file) => file,
            after: () => functions.listSessions(),
          });
        expect(await told(ours), `seed ${seed}`).toEqual(await told(official));
      }
    },
  );

  // The official functions append to a line that was cut short. A program that reads line by line then loses both: the message
  // is gone, and a tagged session may no longer be listed. Our functions end the line first.
  it.each(['rename', 'tag'])(
    `%s differs by a line end alone behind a line without one, by ${Math.round(RUNS / STEP)} seeds`,
    async (name) => {
      for (let seed = FIRST; seed <= RUNS; seed += STEP) {
        const text = createRandomTranscript(createChance(seed)).trimEnd();
        if (text === '') continue;
        const told = async (functions: SessionFunctions): Promise<unknown> =>
          await changeFolder(
            { [`-p/${SESSION}.jsonl`]: text },
            async () => await byChance[name]?.(functions),
            {
              read: (file) => (functions === official ? file : file.replace(/\n(?=.*\n$)/, '')),
            },
          );
        expect(await told(ours), `seed ${seed}`).toEqual(await told(official));
      }
    },
  );
});

describe('summaries made by chance', () => {
  it(`are folded the same way, by ${Math.round((RUNS * 4) / STEP)} seeds`, () => {
    for (let seed = FIRST; seed <= RUNS * 4; seed += STEP) {
      const entries = createRandomTranscript(createChance(seed))
        .split(/\r?\n/)
        .flatMap((line) => {
          try {
            const entry = JSON.parse(line) as ours.SessionStoreEntry | null;
            return entry?.type === undefined ? [] : [entry];
          } catch {
            return [];
          }
        });
      const fold = ({ foldSessionSummary }: SessionFunctions): unknown => {
        const key = { projectKey: '-p', sessionId: SESSION };
        const first = foldSessionSummary(undefined, key, entries.slice(0, 3), { mtime: seed });
        return [first, foldSessionSummary(first, key, entries.slice(3))];
      };
      expect(toJson(fold(ours)), `seed ${seed}`).toEqual(toJson(fold(official)));
    }
  });
});

/** What a change gave, or its first words of complaint, and every file after it, with new ids and times by number. */
async function changeFolder(
  files: Parameters<typeof createConfigFolder>[0],
  change: () => Promise<unknown>,
  { read = sortFields, after }: { read?: (file: string) => unknown; after?: () => Promise<unknown> } = {},
): Promise<unknown> {
  const folder = createConfigFolder(files);
  try {
    const outcome = await change().catch((error: unknown) =>
      // Ours go on with what to do about it.
      String(error).replace(/^\w+: |\. .*/gs, ''),
    );
    const names = new Map<string, string>();
    const name = (id: string): string => {
      if (!names.has(id)) names.set(id, `new id ${names.size}`);
      return names.get(id) ?? '';
    };
    const tell = (text: string): string =>
      text
        .replace(/(?!0{8})[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, name)
        .replace(/"20(?!25)\d\d-[\d-]+T[\d:.]+Z"/g, '"now"');
    const tree = Object.entries(folder.tree()).toSorted(([one], [other]) => (one < other ? -1 : 1));
    return [
      outcome === undefined || typeof outcome === 'string' ? outcome : tell(JSON.stringify(outcome)),
      tree.map(([path, mode]) => [tell(path), mode, path.endsWith('/') ? '' : read(tell(folder.read(path)))]),
      tell(JSON.stringify(await after?.(), withoutTimes) ?? ''),
    ];
  } finally {
    folder.remove();
  }
}

// When a file was changed, and when an entry was written now.
function withoutTimes(key: string, value: unknown): unknown {
  return key === 'lastModified' || (key === 'createdAt' && Number(value) > Date.now() - 3_600_000)
    ? 0
    : value;
}

function sortFields(text: string): unknown[] {
  return text.split('\n').map((line) => {
    try {
      return JSON.parse(line) as unknown;
    } catch {
      return line;
    }
  });
}
