// Adding whole lines to the end of a transcript that is there.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Appends text that ends with a line feed. Rejects with what the file system says, also where there is no such file. */
export async function appendLines(path: string, lines: string): Promise<void> {
  // Appended after whatever the CLI may be writing at this moment. Never created: a session deleted meanwhile must not
  // come back as a title without a conversation.
  const file = await open(path, constants.O_RDWR | constants.O_APPEND);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    // After a crash the last line may have no end; two entries on one line would both be lost.
    const isOpen = bytesRead === 1 && buffer[0] !== 0x0a;
    // Unlike `write`, this goes on until all is written.
    await file.writeFile(isOpen ? `\n${lines}` : lines);
  } finally {
    await file.close();
  }
}
