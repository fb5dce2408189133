// Loads views when they are first shown, or a moment after the page has been drawn, so that the first view appears sooner.
import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';

const parts: (() => Promise<void>)[] = [];

/** A part of the page has not come, because its server ended before or cannot be reached. */
export class PartMissing extends Error {}

/** A component that appears once its code is loaded. If loading fails, drawing it throws, and the next drawing tries again. */
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
      throw new PartMissing('The program ended, or could not be reached, before this was loaded.', { cause });
    }
    void begin();
    return null;
  };
}

/** Loads every view, so that all can still be shown when the server has ended. */
export function loadAllViews(): void {
  for (const begin of parts) void begin();
}
