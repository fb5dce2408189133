// Tells the reader of another tab that something waits: in the title of the page, and by a notification where they asked for one.
import { effect, signal } from '@preact/signals';
import type { Question } from '../../stream/question.js';
import type { Preferences } from '../store/preferences.js';
import type { Store } from '../store/store.js';

/** Said to screen readers when a question comes. */
export const announcement = signal('');

/** Why the browser cannot notify; undefined where it can, or can be asked. */
export function noNotificationsBecause(): string | undefined {
  if (typeof Notification === 'undefined') return 'This browser shows no notifications here.';
  if (Notification.permission === 'denied')
    return 'Notifications are blocked for this page: allow them in the settings of the browser.';
  return undefined;
}

/** Switches notifications; the browser is asked on the click, and only then. Resolves with whether they are on. */
export async function switchNotifications(preferences: Preferences): Promise<boolean> {
  const isOn = !preferences.notifies.value && (await Notification.requestPermission()) === 'granted';
  preferences.notifies.value = isOn;
  preferences.keep();
  return isOn;
}

/** Watches what waits; returns what ends it. */
export function watchQuestions(store: Store, preferences: Preferences): () => void {
  let known: ReadonlySet<string> | undefined;
  return effect(() => {
    const questions = store.questions.value;
    const count = questions.length;
    const title = store.summary.value?.title ?? store.state.value?.title ?? '';
    document.title = `${count > 0 ? `(${count}) ` : ''}${title === '' ? '' : `${title} · `}Inboard`;
    if (!store.isReady.value) return;
    // What waited before the page was opened is on it already.
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
    // Browsers of telephones have the name and refuse the deed; the title of the page says it all the same.
  }
}
