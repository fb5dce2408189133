// The transcripts in the folder beside a session's own, and the notes about each subagent.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The type of the entry that carries a subagent's notes in a store; on disk they are a file of their own. */
export const AGENT_METADATA = 'agent_metadata';

/** A subagent's transcript on disk. */
export interface SubagentFile {
  readonly path: string;
  /** `<name>.meta.json`; need not exist. */
  readonly metadataPath: string;
  /** Like `subagents/agent-<id>`, with `/` on every system. */
  readonly subpath: string;
}

/** All transcripts under `subagents`, those of a folder before those of the folders in it. */
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
