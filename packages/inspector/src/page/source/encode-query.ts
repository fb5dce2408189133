// Writes the query of an address.

/** The fields as a query; undefined ones are left out. */
export function encodeQuery(fields: Record<string, string | number | undefined>): string {
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return new URLSearchParams(given).toString();
}
