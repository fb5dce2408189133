// Where the reader is, as the part of the address behind the #: kept over a reload, and no secret in it.
import { VIEWS, type ViewName } from './store.js';

export interface Place {
  view: ViewName | undefined;
  session: string | undefined;
  /** The number of the event whose line is shown. */
  event: number | undefined;
  /** The session beside it. */
  compared: string | undefined;
}

/** What stands in an address; anything else in it is passed over. */
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

/** The part of the address, with its #. */
export function writePlace({ view, session, event, compared }: Place): string {
  const fields = new URLSearchParams();
  if (view !== undefined) fields.set('view', view);
  if (session !== undefined) fields.set('session', session);
  if (event !== undefined) fields.set('event', String(event));
  if (compared !== undefined) fields.set('with', compared);
  return `#${fields.toString()}`;
}
