// Views that are loaded when they are first wanted, or a moment after the page stands: what one looks at first comes first.
import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';

const parts: (() => Promise<void>)[] = [];

/** A view that shows itself once it is loaded. What keeps it from being loaded is thrown where it is shown, and tried again there. */
export function lateView<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  const loaded = signal<FunctionComponent<Props> | undefined>(undefined);
  const fault = signal<unknown>(undefined);
  let isLoading = false;
  const begin = async (): Promise<void> => {
    if (isLoading || loaded.peek()) return;
    isLoading = true;
    try {
      const view = await load();
      loaded.value = view;
    } catch (cause) {
      fault.value = cause;
    } finally {
      isLoading = false;
    }
  };
  parts.push(begin);
  return (props) => {
    const View = loaded.value;
    if (View) return <View {...props} />;
    const cause = fault.value;
    if (cause !== undefined) {
      fault.value = undefined;
      throw new Error('A part of the page could not be loaded. Is the inspector still running?', { cause });
    }
    void begin();
    return null;
  };
}

/** Loads every view, so that one can still be looked at when the server is gone. */
export function loadAllViews(): void {
  for (const begin of parts) void begin();
}
