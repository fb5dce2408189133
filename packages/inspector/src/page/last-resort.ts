// Shows an error when the page itself fails, so that it is never blank. It uses nothing of the page that could have failed.

/** Shows uncaught errors: in a panel over the page, or instead of it if the page was not drawn. */
export function watchForFaults(): void {
  addEventListener('error', (event) => {
    if (event.error !== undefined && event.error !== null) showLastResort(event.error);
  });
  addEventListener('unhandledrejection', (event) => showLastResort(event.reason));
}

/** Shows an error; further errors are added to the first. */
export function showLastResort(fault: unknown): void {
  const text = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
  const known = document.querySelector('.last-resort pre');
  if (known) {
    if (known.textContent.length < 4000) known.append(`\n\n${text}`);
    return;
  }
  const panel = document.createElement('section');
  panel.className = 'last-resort';
  panel.setAttribute('role', 'alert');
  const title = document.createElement('h2');
  title.textContent = 'This page has failed';
  const advice = document.createElement('p');
  advice.textContent =
    'The agent is not affected. Reload the page; if it happens again, report the text below.';
  const detail = document.createElement('pre');
  detail.textContent = text;
  const reload = makeButton('Reload', () => location.reload());
  const close = makeButton('Close', () => panel.remove());
  panel.append(title, advice, detail, reload, close);
  document.body.append(panel);
  // Tests and scripts that wait for the page must not wait for ever.
  document.documentElement.dataset['ready'] ??= 'failed';
}

function makeButton(label: string, onClick: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button button-normal';
  button.textContent = label;
  button.addEventListener('click', onClick);
  return button;
}
