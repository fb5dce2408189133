// Copies a text to the clipboard. This also works on a page that is a file, where browsers have no clipboard interface.

/** Resolves with whether it worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  const focused = document.activeElement;
  field.value = text;
  field.className = 'off-screen';
  (focused?.closest('dialog') ?? document.body).append(field);
  field.select();
  try {
    // `execCommand` is deprecated, but its successor is not available on pages from disk.
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}
