// Waiting for something that may never come, such as a file whose top-level await never settles: once nothing is left in the process
// that could settle it, Node ends the process without a word. Whoever waits with this is told instead.

/** The innermost is told: it knows best what was waited for. */
const waiting: (() => void)[] = [];

const tellInnermost = (): void => waiting.at(-1)?.();

/** What a promise gives; where the process has nothing left to do before that, what `whenIdle` gives or throws. */
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
