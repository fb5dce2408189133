import { expect, it, vi } from 'vitest';
import { tapTransport } from '../../../src/record/trace/recorder/tap-transport.js';
import { createMemoryTransport } from '../../../src/wire/transport/memory-transport.js';

it('shows every line in both directions and passes it on unchanged', async () => {
  const { transport, peer } = createMemoryTransport();
  const seen: [string, string][] = [];
  const tapped = tapTransport(transport, (direction, line) => seen.push([direction, line]), vi.fn());
  const lines: string[] = [];
  tapped.open({ line: (text) => lines.push(text), fault: vi.fn(), closed: vi.fn() });
  await Promise.resolve();
  tapped.write('{"a":1}');
  peer.send('{"b":2}');
  expect(lines).toEqual(['{"b":2}']);
  expect(seen).toEqual([
    ['out', '{"a":1}'],
    ['in', '{"b":2}'],
  ]);
  await tapped.terminate({ graceMs: 0 });
  expect(peer.received).toEqual(['{"a":1}']);
});

it('goes on when the listener throws, and says so', async () => {
  const { transport, peer } = createMemoryTransport();
  const onError = vi.fn();
  const line = vi.fn();
  const tapped = tapTransport(
    transport,
    () => {
      throw new Error('no');
    },
    onError,
  );
  tapped.open({ line, fault: vi.fn(), closed: vi.fn() });
  await Promise.resolve();
  peer.send('{}');
  expect(line).toHaveBeenCalledWith('{}');
  expect(onError).toHaveBeenCalledTimes(1);
});
