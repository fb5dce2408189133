/** What a promise gives, or `otherwise` if it gives nothing within the limit. A probe must end also where a peer does not. */
export async function withLimit(promise, limitMs, otherwise) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve(otherwise), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
