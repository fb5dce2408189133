// The answer to a schema has its type wherever one asks for it: queries, turns of sessions and groups, warm starts.
import {
  createSessionGroup,
  createWarmPool,
  openSession,
  prewarm,
  query,
  run,
  startup,
  type Session,
  type SessionGroup,
  type Turn,
} from 'inboard';

const output = { city: 'string', people: 'number' } as const;
type City = { city: string; people: number };
type Same<A, B> = [A, B] extends [B, A] ? (0 extends 1 & A ? false : true) : false;
const prompt = 'x';
const options = { output };

/** Takes a value with its verdict, so that a wrong type is reported where it is. */
const hasType = <T>(value: T, _isCity: Same<T, City>): T => value;

export async function read(): Promise<void> {
  hasType(await query({ prompt, options }).output(), true);
  hasType((await run({ prompt, options })).output, true);
  hasType(
    await openSession({ options: { output: { city: 'string', people: 'number' } } })
      .send(prompt)
      .output(),
    true,
  );
  hasType(await createSessionGroup({ maxRunning: 1, options }).open().send(prompt).output(), true);
  hasType(
    await createSessionGroup({ maxRunning: 1 }).open({ key: 'a', options }).send(prompt).output(),
    true,
  );
  hasType(await createWarmPool({ options }).query({ prompt }).output(), true);
  hasType(await (await startup({ options })).query(prompt).output(), true);
  hasType(await (await prewarm({ options })).claim({ prompt, options: { cwd: '/' } }).output(), true);
  const answer = hasType(await openSession({ options }).send(prompt).output(), true);
  const people: number = answer.people;
  // @ts-expect-error There is no such field.
  console.log(people, answer.citty);
  // @ts-expect-error A number is no string.
  const name: string = answer.people;
  console.log(name);
}

export async function readWithoutSchema(): Promise<void> {
  // Without a schema there is no answer of this kind, which rejects; so nothing can be done with it.
  const nothing: never = await openSession().send(prompt).output();
  const alsoNothing: never = await createSessionGroup({ maxRunning: 1 }).open().send(prompt).output();
  console.log(nothing, alsoNothing);
}

/** Functions that take any session, group or turn take those with a schema. */
export function keep(session: Session, group: SessionGroup, turn: Turn): unknown {
  return [session, group, turn];
}
keep(
  openSession({ options }),
  createSessionGroup({ maxRunning: 1, options }),
  openSession({ options }).send(prompt),
);
keep(openSession(), createSessionGroup({ maxRunning: 1 }), openSession().send(prompt));
