// How values are kept in Restate's journal: as JSON.
import type { Serde } from './restate-library.js';

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Values of this package's own making. */
export function json<Value>(): Serde<Value> {
  return {
    contentType: 'application/json',
    serialize: (value) => encoder.encode(JSON.stringify(value)),
    deserialize: (data) => JSON.parse(decoder.decode(data)) as Value,
  };
}

/**
 * Values that anybody may have sent. What is not JSON is undefined: an error would come again each time the turn is replayed, so that
 * the turn could never go on.
 */
export const FOREIGN_JSON: Serde<unknown> = {
  ...json<unknown>(),
  deserialize: (data) => {
    try {
      return JSON.parse(decoder.decode(data)) as unknown;
    } catch {
      return undefined;
    }
  },
};
