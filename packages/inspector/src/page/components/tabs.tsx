// A row of tabs. Arrow keys move between them, and only the chosen tab is in the tab order. The caller draws the panel.
import { Icon, type IconName } from './icons.js';

export interface Tab<Name extends string> {
  name: Name;
  label: string;
  icon?: IconName | undefined;
  /** The key that chooses it, shown in its title. */
  shortcut?: string | undefined;
}

export interface TabsProps<Name extends string> {
  /** Tells screen readers what the tabs choose. */
  label: string;
  tabs: readonly Tab<Name>[];
  chosen: Name;
  onChoose: (name: Name) => void;
  /** The id of the panel; the ids of the tabs begin with it. */
  panel: string;
  class?: string | undefined;
}

export function Tabs<Name extends string>(props: TabsProps<Name>) {
  const { label, tabs, chosen, onChoose, panel } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const now = tabs.findIndex(({ name }) => name === chosen);
    const next = Number.isFinite(step)
      ? (now + step + tabs.length) % tabs.length
      : step < 0
        ? 0
        : tabs.length - 1;
    const tab = tabs[next];
    if (!tab) return;
    onChoose(tab.name);
    document.getElementById(`${panel}-tab-${tab.name}`)?.focus();
  };
  return (
    <div class={`tabs ${props.class ?? ''}`} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab.name}
          type="button"
          role="tab"
          id={`${panel}-tab-${tab.name}`}
          class="tab"
          aria-selected={tab.name === chosen}
          aria-controls={panel}
          tabIndex={tab.name === chosen ? 0 : -1}
          title={tab.shortcut && `${tab.label} (${tab.shortcut})`}
          onClick={() => onChoose(tab.name)}
        >
          {tab.icon && <Icon name={tab.icon} />}
          <span class="tab-label">{tab.label}</span>
        </button>
      ))}
    </div>
  );
}
