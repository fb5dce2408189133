// A home such as a CLI leaves it, made by hand: every kind of file that a session has, for as many sessions as are wanted.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** A home on disk. The test that makes it removes it. */
export class MadeHome {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'made-home-')));
  readonly traces = join(this.root, 'traces');
  readonly config = join(this.root, 'config');
  readonly env: Record<string, string> = {
    HOME: join(this.root, 'home'),
    CLAUDE_CONFIG_DIR: this.config,
    TMPDIR: join(this.root, 'tmp'),
    CLAUDE_CODE_TMPDIR: join(this.root, 'tmp'),
    XDG_CACHE_HOME: join(this.root, 'cache'),
  };

  constructor() {
    for (const folder of ['traces', 'config/projects', 'tmp', 'home'])
      mkdirSync(join(this.root, folder), { recursive: true });
  }

  write(path: string, content: string | Buffer): string {
    const full = join(this.root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
    return full;
  }

  /** A transcript with one prompt, whose message has the given id. */
  transcript(sessionId: string, { project = '-p', entries = [] as object[] } = {}): string {
    const prompt = {
      type: 'user',
      uuid: `m-${sessionId}`,
      sessionId,
      message: { role: 'user', content: 'hi' },
    };
    const lines = (entries.length > 0 ? entries : [prompt]).map((entry) => JSON.stringify(entry));
    return this.write(`config/projects/${project}/${sessionId}.jsonl`, `${lines.join('\n')}\n`);
  }

  /** A trace of these sessions. */
  trace(name: string, sessionIds: readonly string[], version = 1): string {
    const header = { type: 'header', format: 'inboard-trace', version, startedAt: '', inboard: '0.1.0' };
    const frames = sessionIds.map((id, t) => ({
      type: 'frame',
      t,
      dir: 'in',
      frame: { type: 'user', session_id: id },
    }));
    const text = [header, ...frames].map((event) => `${JSON.stringify(event)}\n`).join('');
    return this.write(`traces/${name}`, name.endsWith('.gz') ? gzipSync(text) : text);
  }

  /** Every file there is, with its content. */
  files(): Record<string, string> {
    const entries = readdirSync(this.root, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    return Object.fromEntries(
      paths.sort().map((path) => [path.slice(this.root.length + 1), readFileSync(path, 'latin1')]),
    );
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Every place where a session can have a file, below the root; `nth` tells files of one session apart. */
export const PLACES: readonly ((id: string, nth: number) => string)[] = [
  (id) => `config/projects/-p/${id}.jsonl`,
  (id) => `config/projects/-q/${id}.jsonl`,
  (id, nth) => `config/projects/-p/${id}/subagents/agent-${nth}.jsonl`,
  (id, nth) => `config/projects/-p/${id}/tool-results/${nth}.txt`,
  (id) => `config/projects/-p/${id}/inboard-calls.jsonl`,
  (id, nth) => `config/projects/-p/${id}/inboard-calls-${nth}.tail`,
  (id, nth) => `config/file-history/${id}/${nth}@v1`,
  (id, nth) => `config/tasks/${id}/${nth}.json`,
  (id) => `config/todos/${id}-agent-${id}.json`,
  (id) => `config/debug/${id}.txt`,
  (id) => `config/telemetry/1p_failed_events.${id}.00000000-0000-4000-8000-000000000000.json`,
  (id, nth) => `config/image-cache/${id}/${nth}.png`,
  (id, nth) => `tmp/claude-${process.getuid?.() ?? 0}/-p/${id}/tasks/${nth}.output`,
];
