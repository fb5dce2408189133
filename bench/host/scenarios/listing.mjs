// Listing many past sessions, twice in a process.

export async function measure({ target, projectFolder, transcripts }) {
  const { listSessions } = await import(target.url);
  const list = async () => {
    const begun = performance.now();
    const sessions = await listSessions({ dir: projectFolder });
    if (sessions.length !== transcripts)
      throw new Error(`${sessions.length} sessions were listed instead of ${transcripts}.`);
    return performance.now() - begun;
  };
  return { firstMs: await list(), secondMs: await list() };
}
