// Appends whole lines to an existing transcript.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Appends text that ends with a line feed. Rejects with the file system's error, also when the file does not exist. */
export async function appendLines(path: string, lines: string): Promise<void> {
  // With O_APPEND the text comes after everything that the CLI has written until then. The file is never created,
  // because a session that was deleted in the meantime must not come back as a title without a conversation.
  const file = await open(path, constants.O_RDWR | constants.O_APPEND);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    // After a crash the last line may have no line feed. Two entries on one line would both be lost.
    const isOpen = bytesRead === 1 && buffer[0] !== 0x0a;
    // `writeFile` continues until everything is written. `write` may stop earlier.
    await file.writeFile(isOpen ? `\n${lines}` : lines);
  } finally {
    await file.close();
  }
}
