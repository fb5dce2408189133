// Waits for a promise that may never settle, such as that of a file with a top-level await. When nothing is left in the
// process that could settle it, Node would end the process silently. This calls the waiting code instead.

/** All that waits, the innermost last. Only the innermost is told, because it knows best what was awaited. */
const waiting: (() => void)[] = [];

const tellInnermost = (): void => waiting.at(-1)?.();

/** The result of a promise. If the process has nothing left to do before that, the result of `whenIdle`, or its error. */
export async function unlessIdle<T>(work: Promise<T>, whenIdle: () => T): Promise<T> {
  let tell = (): void => {};
  const idle = new Promise<T>((resolve, reject) => {
    tell = () => {
      try {
        resolve(whenIdle());
      } catch (error) {
        reject(error);
      }
    };
  });
  if (waiting.length === 0) process.on('beforeExit', tellInnermost);
  waiting.push(tell);
  try {
    return await Promise.race([work, idle]);
  } finally {
    waiting.splice(waiting.indexOf(tell), 1);
    if (waiting.length === 0) process.off('beforeExit', tellInnermost);
  }
}
