// The host under test, loaded: an SDK (`{ url, zodUrl, schema }`) or the bare host (`{ mode }`).

/** `runSession` of the target, and how long its own modules took to load. */
export async function loadTarget({ url, mode, zodUrl, schema }) {
  // Schemas are written with a library that is the same for every SDK: not a part of any.
  const { createSdkSession, loadSchemas } = await import('./sdk-session.mjs');
  const schemas = url && (await loadSchemas({ kind: schema, zodUrl }));
  const begun = performance.now();
  const loaded = await import(url ?? './bare-session.mjs');
  const importMs = performance.now() - begun;
  const runSession = url
    ? createSdkSession(loaded, schemas)
    : (given) => loaded.runBareSession({ ...given, mode });
  return { runSession, importMs, sdk: loaded };
}
