// Tells a reader in another tab that a question waits: by the title of the page, and by a notification if they asked for it.
import { effect, signal } from '@preact/signals';
import type { Question } from '../../stream/question.js';
import type { Preferences } from '../store/preferences.js';
import type { Store } from '../store/store.js';

/** Read by screen readers when a question comes. */
export const announcement = signal('');

/** Why the browser cannot notify; undefined if it can, or can be asked for permission. */
export function noNotificationsBecause(): string | undefined {
  if (typeof Notification === 'undefined') return 'This browser shows no notifications here.';
  if (Notification.permission === 'denied')
    return 'Notifications are blocked for this page: allow them in the settings of the browser.';
  return undefined;
}

/** Switches notifications on or off, and asks the browser for permission if needed. Resolves with whether they are on. */
export async function switchNotifications(preferences: Preferences): Promise<boolean> {
  const isOn = !preferences.notifies.value && (await Notification.requestPermission()) === 'granted';
  preferences.notifies.value = isOn;
  preferences.keep();
  return isOn;
}

/** Watches the open questions until the returned function is called. */
export function watchQuestions(store: Store, preferences: Preferences): () => void {
  let known: ReadonlySet<string> | undefined;
  return effect(() => {
    const questions = store.questions.value;
    const count = questions.length;
    const title = store.summary.value?.title ?? store.state.value?.title ?? '';
    document.title = `${count > 0 ? `(${count}) ` : ''}${title === '' ? '' : `${title} · `}Inboard`;
    if (!store.isReady.value) return;
    // Questions that waited before the page was opened are not announced.
    const fresh = known ? questions.filter(({ id }) => known?.has(id) !== true) : [];
    known = new Set(questions.map(({ id }) => id));
    for (const question of fresh) {
      announcement.value = `A question waits: ${question.title}`;
      if (document.hidden && preferences.notifies.peek()) notify(store, question);
    }
  });
}

function notify(store: Store, question: Question): void {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
  const session = store.sessions.peek().find(({ id }) => id === question.session);
  try {
    const notification = new Notification(question.title, {
      body: session ? `${session.title} waits for you.` : 'It waits for you.',
      tag: question.id,
    });
    notification.onclick = () => {
      focus();
      store.open(question.session);
      notification.close();
    };
  } catch {
    // Some phone browsers have `Notification` but refuse to create one. The title of the page still shows the question.
  }
}
