// Loads a tools file again when it or a file it imports changes. If the file cannot be loaded, the tools stay as they
// are.
import { statSync, watch, type FSWatcher } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '@inboard/core/util/message-of.js';
import { loadTools } from '../tools-file/load-tools.js';
import type { Bridge } from './bridge.js';
import { listLinkedFiles } from './linked-files.js';

// The time to wait after a change, because editors write a file in several steps.
const SETTLE_MS = 60;

/** Something that uses the tools of a file, and can be given new ones. */
export type FreshTools = Pick<Bridge, 'replace'>;

/** Watches the file until the returned function is called. `note` gets a line for each attempt to load it. */
export function keepFresh(
  tools: FreshTools,
  { file, note }: { file: string; note: (line: string) => void },
): () => Promise<void> {
  const watchers = new Map<string, FSWatcher>();
  let seen = '';
  let timer: NodeJS.Timeout | undefined;
  let loading: Promise<void> = Promise.resolve();
  let isOver = false;

  const look = (): string => {
    const files = listLinkedFiles(file);
    // The folders are watched, not the files. Many editors replace a file, and a watcher on the file would stay on the
    // old one.
    for (const folder of new Set(files.map((path) => dirname(path)))) {
      if (watchers.has(folder)) continue;
      try {
        const watcher = watch(folder, notice).on('error', () => watchers.delete(folder));
        watchers.set(folder, watcher);
      } catch {
        // The folder does not exist. The error of the failing import names the file that is missing.
      }
    }
    return files.map(describeFile).join('\n');
  };
  const reload = async (): Promise<void> => {
    const now = look();
    if (isOver || now === seen) return;
    seen = now;
    try {
      const { servers, contextFor, warnings } = await loadTools(file, dirname(file), { isAgain: true });
      for (const { message } of warnings) note(`Warning: ${message}`);
      await tools.replace({ servers, contextFor });
      note(`Reloaded ${file}.`);
    } catch (error) {
      note(`Not reloaded; the tools stay as they were: ${messageOf(error)}`);
    }
  };
  function notice(): void {
    clearTimeout(timer);
    if (isOver) return;
    timer = setTimeout(() => {
      loading = loading.then(reload);
    }, SETTLE_MS);
  }

  seen = look();
  return async () => {
    isOver = true;
    clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
    await loading;
  };
}

function describeFile(path: string): string {
  const facts = statSync(path, { throwIfNoEntry: false });
  return `${path} ${facts ? `${facts.mtimeMs} ${facts.size} ${facts.ino}` : 'none'}`;
}
