// Plays one scene of the protocol on a real CLI, offline, with a scripted model, and gives its trace.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { query } from '../../../dist/entry/index.js';
import { createIsolatedEnvironment, startScriptedModel } from '../../../dist/entry/testing.js';

export const root = realpathSync(fileURLToPath(new URL('../../..', import.meta.url)));
/** A scene that hangs says so, instead of holding all others. */
const SCENE_LIMIT_MS = 60_000;

/**
 * The text of the trace, and the pairs of a folder and what stands for it that `normalizeRecording` takes. `cli` is its
 * `version`, whether scenes may use all that the newest one has (`isNew`), and the `options` that choose it.
 */
export async function playScene(
  { script = [], files = {}, act, model: modelOptions },
  cli,
  { noteLaunch, signal } = {},
) {
  const model = await startScriptedModel({ script, ...modelOptions });
  const home = await createIsolatedEnvironment({ baseUrl: model.url });
  const folder = mkdtempSync(join(tmpdir(), 'inboard-record-'));
  const file = join(folder, 'trace.jsonl');
  for (const [name, content] of Object.entries(files)) writeFileSync(join(home.cwd, name), content);
  const options = { env: home.env, cwd: home.cwd, trace: { file }, settingSources: [], ...cli.options };
  const opened = [];
  const stage = {
    version: cli.version,
    isNew: cli.isNew,
    noteLaunch: (pid) => noteLaunch?.(pid, home),
    root,
    home,
    model,
    options,
    start(more) {
      const act = open(options, more);
      opened.push(act.query);
      return act;
    },
  };
  const { promise: limit, stop } = failAfter(SCENE_LIMIT_MS, signal);
  try {
    await Promise.race([act(stage), limit]);
    return { trace: readFileSync(file, 'utf8'), places: placesOf(home) };
  } catch (error) {
    // What was started must not outlive its folders.
    await Promise.all(opened.map((each) => each.close().catch(() => {})));
    throw error;
  } finally {
    stop();
    await model.close({ verify: false });
    await home.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

function placesOf(home) {
  return [
    [home.cwd, '/home/you/project'],
    [home.configDir, '/home/you/.claude'],
    [home.home, '/home/you'],
    [home.env.TMPDIR ?? '/nowhere', '/tmp'],
    [root, '/home/you/inboard'],
  ];
}

function failAfter(milliseconds, signal) {
  let timer;
  let onAbort;
  const promise = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`It took more than ${milliseconds / 1000} s.`)), milliseconds);
    onAbort = () => reject(signal.reason);
    signal?.addEventListener('abort', onAbort);
  });
  const stop = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  };
  return { promise, stop };
}

/** A running query that is spoken to turn by turn. */
function open(base, { prompt, ...options }) {
  let mouth;
  const words = prompt ?? new ReadableStream({ start: (controller) => void (mouth = controller) });
  const running = query({ prompt: words, options: { ...base, ...options } });
  const messages = running[Symbol.asyncIterator]();
  const until = async (test) => {
    for (;;) {
      const { value, done } = await messages.next();
      if (done) throw new Error('The CLI ended before what was waited for.');
      if (test(value)) return value;
    }
  };
  return {
    query: running,
    say: (text) => mouth.enqueue(text),
    until,
    /** Says something, and reads until its turn is over. */
    ask(text) {
      mouth.enqueue(text);
      return until(({ type }) => type === 'result');
    },
    /** Ends the input and reads what is left; an error of the last turn belongs to the scene. */
    async end() {
      mouth?.close();
      try {
        for (let next = await messages.next(); !next.done; next = await messages.next());
      } catch (error) {
        // The scene shows how it came to it; a scene that never began shows nothing.
        if (error.code === 'UNSUPPORTED_OPTION') throw error;
      }
    },
  };
}
