// Recognizes the error of a file that could not be opened because too many others are open. The file itself may be fine.

const CODES = new Set(['EMFILE', 'ENFILE']);

/** Whether an error of the system says that too many files are open. */
export function isWithoutDescriptor(error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  return typeof code === 'string' && CODES.has(code);
}
