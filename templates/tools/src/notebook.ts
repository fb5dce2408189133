// What the tools work on: notes in a file, so that every process that serves the tools has the same ones. Replace it with
// your database.
import { existsSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Note {
  owner: string;
  text: string;
}

export class Notebook {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = join(folder, 'notes.jsonl');
  }

  /** One line is appended at once, so that several processes can write. */
  async add(note: Note): Promise<void> {
    await appendFile(this.#file, `${JSON.stringify(note)}\n`, { mode: 0o600 });
  }

  async list(owner: string): Promise<string[]> {
    if (!existsSync(this.#file)) return [];
    const lines = (await readFile(this.#file, 'utf8')).split('\n').filter(Boolean);
    const notes = lines.map((line) => JSON.parse(line) as Note);
    return notes.filter((note) => note.owner === owner).map(({ text }) => text);
  }
}
