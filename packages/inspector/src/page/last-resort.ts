// What is shown when the page itself fails: never a blank page. Made without anything that could have failed.

/** Shows faults that nobody caught: in a panel over the page while it stands, instead of it when it does not. */
export function watchForFaults(): void {
  addEventListener('error', (event) => {
    if (event.error !== undefined && event.error !== null) showLastResort(event.error);
  });
  addEventListener('unhandledrejection', (event) => showLastResort(event.reason));
}

/** Shows one fault; a second one joins it. */
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
  // A test, or a script that waits for the page, must not wait for ever.
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
