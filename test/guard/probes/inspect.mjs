// V8's own view of this process.
import { Session } from 'node:inspector';

const session = new Session();

export function connect() {
  session.connect();
}

/** Asks and gets the answer at once, which is how a session with the own process works. */
export function post(method, parameters) {
  let outcome;
  session.post(method, parameters, (error, result) => (outcome = { error, result }));
  if (outcome?.error) throw new Error(outcome.error.message);
  return outcome?.result;
}
