// The reader's place, as the part of the address after the #. It survives a reload, and contains no secret.
import { VIEWS, type ViewName } from './store.js';

export interface Place {
  view: ViewName | undefined;
  session: string | undefined;
  /** The number of the event whose line is shown. */
  event: number | undefined;
  /** The second session, when two are compared. */
  compared: string | undefined;
}

/** Reads the place from an address; ignores anything else in it. */
export function readPlace(hash: string): Place {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const view = VIEWS.find((name) => name === fields.get('view'));
  const event = Number(fields.get('event'));
  return {
    view,
    session: fields.get('session') ?? undefined,
    event: Number.isSafeInteger(event) && event > 0 ? event : undefined,
    compared: fields.get('with') ?? undefined,
  };
}

/** Writes a place as the end of an address, with the #. */
export function writePlace({ view, session, event, compared }: Place): string {
  const fields = new URLSearchParams();
  if (view !== undefined) fields.set('view', view);
  if (session !== undefined) fields.set('session', session);
  if (event !== undefined) fields.set('event', String(event));
  if (compared !== undefined) fields.set('with', compared);
  return `#${fields.toString()}`;
}
