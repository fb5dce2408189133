// When runs are due, by the wall clock of this machine. The clock is handed in, so that tests need not wait.
import { setTimeout } from 'node:timers/promises';

export const systemClock = {
  now: (): number => Date.now(),
  sleep: (ms: number, signal: AbortSignal): Promise<void> => setTimeout(ms, undefined, { signal }),
};
export type Clock = typeof systemClock;

/** When the run is due on the day of a moment, or days later. By the calendar, not by 24 hours: where clocks change, a time
 * that is left out comes an hour later, and of one that comes twice the first counts. */
export function dueAt(moment: number, at: string, daysLater = 0): number {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(at) ?? [];
  if (hours === undefined) throw new Error(`--at takes a time such as 02:00, and it is "${at}".`);
  const day = new Date(moment);
  const date = day.getDate() + daysLater;
  return new Date(day.getFullYear(), day.getMonth(), date, Number(hours), Number(minutes)).getTime();
}

type Run = (night: string, missed: string[]) => Promise<void>;

/** Runs once a night, one after another, until it is stopped; a night is named by its local date. */
export async function everyNight(at: string, run: Run, clock: Clock, stop: AbortSignal, last?: string) {
  const nameOf = (due: number): string => new Date(due).toLocaleDateString('sv-SE');
  for (let before = last && dueAt(Date.parse(`${last}T12:00`), at); ; stop.throwIfAborted()) {
    const due = dueAt(clock.now(), at, dueAt(clock.now(), at) > clock.now() ? 0 : 1);
    const missed: string[] = [];
    for (let day = before; day && (day = dueAt(day, at, 1)) < due;) missed.push(nameOf(day));
    console.log(
      `Next run: ${new Date(due).toString()}.${missed.map((night) => ` Missed: ${night}.`).join('')}`,
    );
    // In short steps: the machine may sleep, and its clock may be set.
    while (clock.now() < due) await clock.sleep(Math.min(due - clock.now(), 30_000), stop);
    // Whatever went wrong this night, there is another one.
    await run(nameOf(due), missed).catch(console.error);
    before = due;
  }
}
