// Runs many small tasks, a few at a time.

/** Maps a list with at most `limit` calls at a time. The results keep the order. Rejects with the first failure. */
export async function mapConcurrently<In, Out>(
  list: readonly In[],
  limit: number,
  map: (item: In) => Promise<Out>,
): Promise<Out[]> {
  const results: Out[] = Array.from({ length: list.length });
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < list.length) {
      const index = next++;
      results[index] = await map(list[index] as In);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, list.length) }, work));
  return results;
}
