// Loading the module alone; for the limit, the bare host.

export async function measure({ target }) {
  const begun = performance.now();
  await import(target.url ?? '../bare-session.mjs');
  return { ms: performance.now() - begun };
}
