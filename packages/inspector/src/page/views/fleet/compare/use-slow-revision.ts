// Redraws a comparison when one of its sessions continues, at most a few times a second, because each time both stories are
// aligned.
import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { LoadedSession } from '../../../store/store.js';

const PAUSE_MS = 400;

/** A number that grows after either session has changed. */
export function useSlowRevision(one: LoadedSession, other: LoadedSession): number {
  const revision = useSignal(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useSignalEffect(() => {
    void [one.revision.value, other.revision.value];
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      revision.value += 1;
    }, PAUSE_MS);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return revision.value;
}
