// The help: every key of the page and of the views that are loaded.
import { Dialog } from '../components/dialog.js';
import { readKeySets } from '../store/keys.js';

const NAMES: Readonly<Record<string, string>> = {
  ArrowDown: 'Down',
  ArrowUp: 'Up',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Escape: 'Esc',
  ' ': 'Space',
  PageDown: 'Page down',
  PageUp: 'Page up',
};

/** The order of the sections, independent of which view was loaded first; others come after them. */
const ORDER = ['Everywhere', 'Questions', 'Story', 'Timeline', 'Wire', 'Tools', 'Cost', 'Fleet', 'Comparing'];

function rankOf(group: string): number {
  const place = ORDER.indexOf(group);
  return place < 0 ? ORDER.length : place;
}

export function Help({ onClose }: { onClose: () => void }) {
  const sets = [...readKeySets()].sort((one, other) => rankOf(one.group) - rankOf(other.group));
  return (
    <Dialog title="Keys" class="help" onClose={onClose}>
      <div class="help-groups">
        {sets.map(({ group, rows }) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl class="help-keys">
              {Object.values(rows).map(({ keys, says }) => (
                <div key={says}>
                  <dt>
                    {keys.map((key) => (
                      <kbd key={key}>{nameOf(key)}</kbd>
                    ))}
                  </dt>
                  <dd>{says}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p class="soft small">
        Keys are off while you type. Everything they do has a button as well. Arrow keys move in lists and
        tabs.
      </p>
    </Dialog>
  );
}

function nameOf(key: string): string {
  return key
    .split(/\+(?=.)/)
    .map((part) => NAMES[part] ?? part)
    .join(' + ');
}
