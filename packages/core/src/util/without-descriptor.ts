// Whether a file could not be opened for want of a descriptor: others are open, and the file itself may be fine.

const CODES = new Set(['EMFILE', 'ENFILE']);

/** Whether an error of the system says that too many files are open. */
export function isWithoutDescriptor(error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  return typeof code === 'string' && CODES.has(code);
}
