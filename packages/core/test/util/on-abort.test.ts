import { getEventListeners } from 'node:events';
import { expect, it, vi } from 'vitest';
import { onAbort } from '../../src/util/on-abort.js';

it('serves any number of reactions with one listener and leaves none behind', () => {
  const { signal } = new AbortController();
  const undo = Array.from({ length: 50 }, () => onAbort(signal, () => {}));
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  for (const take of undo) take();
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

it('calls each reaction once, and not one that was taken back', () => {
  const controller = new AbortController();
  const kept = vi.fn();
  const dropped = vi.fn();
  onAbort(controller.signal, kept);
  onAbort(controller.signal, kept);
  onAbort(controller.signal, dropped)();
  controller.abort();
  expect(kept).toHaveBeenCalledTimes(2);
  expect(dropped).not.toHaveBeenCalled();
});

it('lets a reaction take back another one that has not run yet', () => {
  const controller = new AbortController();
  const second = vi.fn();
  const undo: (() => void)[] = [];
  onAbort(controller.signal, () => undo[0]?.());
  undo.push(onAbort(controller.signal, second));
  controller.abort();
  expect(second).not.toHaveBeenCalled();
});

it('reacts later, not at once, to a signal that has already aborted', async () => {
  const react = vi.fn();
  onAbort(AbortSignal.abort(), react);
  expect(react).not.toHaveBeenCalled();
  await Promise.resolve();
  expect(react).toHaveBeenCalledTimes(1);
});
