// Waits for a promise that may never settle, for example because a file has a top-level await. If nothing in the
// process can settle it any more, Node would end the process silently. Here a function of the waiting code is called
// instead.

/**
 * The functions to call, innermost last. Only the innermost is called, because its caller knows best what was awaited.
 */
const waiting: (() => void)[] = [];

const tellInnermost = (): void => waiting.at(-1)?.();

/**
 * Returns the result of a promise. If the process has nothing left to do before the promise settles, it returns the
 * result of `whenIdle`, or throws its error.
 */
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
