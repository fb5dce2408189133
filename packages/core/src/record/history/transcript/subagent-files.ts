// Lists the transcripts of a session's subagents on disk, and reads the metadata of each.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseRecord } from '../../../util/guards.js';
import type { Entry } from './transcript-lines.js';

/** The type of the store entry with a subagent's metadata. On disk the metadata is a file of its own. */
export const AGENT_METADATA = 'agent_metadata';

/** A subagent's transcript on disk. */
export interface SubagentFile {
  readonly path: string;
  /** The path of `<name>.meta.json`, which need not exist. */
  readonly metadataPath: string;
  /** Like `subagents/agent-<id>`, with `/` on every system. */
  readonly subpath: string;
}

/** All transcripts under `subagents` in the companion folder. The files of a folder come before its subfolders. */
export async function listSubagentFiles(companionFolder: string): Promise<SubagentFile[]> {
  return await listFolder(join(companionFolder, 'subagents'), 'subagents');
}

async function listFolder(folder: string, subpath: string): Promise<SubagentFile[]> {
  let entries;
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
    .map(({ name }) => name.slice(0, -'.jsonl'.length))
    .map((name) => ({
      path: join(folder, `${name}.jsonl`),
      metadataPath: join(folder, `${name}.meta.json`),
      subpath: `${subpath}/${name}`,
    }));
  const deeper = entries.filter((entry) => entry.isDirectory());
  for (const { name } of deeper) files.push(...(await listFolder(join(folder, name), `${subpath}/${name}`)));
  return files;
}

/** A subagent's metadata; undefined when there is none. Older CLIs write none. */
export async function readSubagentMetadata(file: SubagentFile): Promise<Entry | undefined> {
  try {
    return parseRecord(await readFile(file.metadataPath, 'utf8'));
  } catch {
    return undefined;
  }
}
