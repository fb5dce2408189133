// Guesses which events an unknown name may mean, for messages such as "Did you mean …". It covers typing errors, other
// spellings and shortened names.
import { findNearestName } from '../../util/nearest-name.js';
import { HOOK_EVENTS } from '../../wire/protocol/hooks/hook-events.js';

/** The fewest letters that count as the beginning of an event's name. Fewer letters would fit too many events. */
const SHORTEST_BEGINNING = 4;

/** The events close to a name: one for a typing error, perhaps several for a beginning, none for a name that is far off. */
export function findMeantEvents(name: string): string[] {
  const known: readonly string[] = HOOK_EVENTS;
  const plain = simplify(name);
  const nearest = findNearestName(plain, known) ?? findNearestName(name, known);
  if (nearest !== undefined) return [nearest];
  if (plain.length < SHORTEST_BEGINNING) return [];
  return known.filter((event) => event.toLowerCase().startsWith(plain));
}

/** Turns a name in another style, such as `on_before_tool_use`, into the style of the events. */
function simplify(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/^on(?=[a-z])/, '')
    .replace(/(?:hooks?|event)$/, '')
    .replace(/^before/, 'pre')
    .replace(/^after/, 'post');
}
