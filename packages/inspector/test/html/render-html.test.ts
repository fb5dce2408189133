// The page that is a file: what stands in it, what is left out of it, and that nothing in it can be more than data.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { renderWith, type RenderHtmlOptions } from '../../src/html/render-html.js';
import { decodeNumbered } from '../../src/stream/event-codec.js';
import type { NumberedEvent } from '../../src/stream/inspector-event.js';
import type { ServerState } from '../../src/model/page-contract.js';
import { buildTimeline } from '@inboard/core/record/trace/timeline/timeline.js';
import type { Trace } from '@inboard/core/record/trace/trace-event.js';
import { makeTrace } from '../../../core/test/record/trace/support/make-trace.js';

const ASSETS = { script: 'document.documentElement.dataset.ready="true"', style: 'body{color:red}' };

interface Embedded {
  state: ServerState;
  events: NumberedEvent[];
  lines: string[];
}

function render(trace: Trace, options: RenderHtmlOptions = {}): string {
  return renderWith(ASSETS, buildTimeline(trace), options);
}

function eventsOf({ header, steps, end }: Trace): unknown[] {
  const opened = { type: 'opened', t: 0, kind: 'trace', startedAt: header.startedAt };
  return [opened, header, ...steps, end];
}

function readPage(html: string): Embedded {
  const [, json = ''] = /<script type="application\/json" id="data">([^<]*)<\/script>/.exec(html) ?? [];
  const { state, events } = JSON.parse(json) as { state: ServerState; events: Record<string, string[]> };
  const lines = Object.values(events).flat();
  return { state, lines, events: lines.map((line) => decodeNumbered(line) as NumberedEvent) };
}

describe('a page that is a file', () => {
  it('holds every event of the trace, as it was recorded', () => {
    const trace = makeTrace({ calls: 2 });
    const { events, state } = readPage(render(trace, { file: 'runs/one.jsonl' }));
    expect(events.map(({ n }) => n)).toEqual(events.map((_, index) => index + 1));
    expect(events.map(({ event }) => event)).toEqual(eventsOf(trace));
    expect(state).toMatchObject({ kind: 'files', isReadOnly: true, title: 'one.jsonl' });
    expect(state.leftOut).toBeUndefined();
    expect(state.sessions).toHaveLength(1);
    expect(state.sessions[0]).toMatchObject({
      id: 'one.jsonl',
      file: 'runs/one.jsonl',
      events: events.length,
    });
  });

  it('keeps what was no frame, and what could not be read', () => {
    const trace = makeTrace({ calls: 0 });
    trace.steps.push(
      { type: 'frame', t: 101, dir: 'in', text: `no frame ${'x'.repeat(300)}` },
      { type: 'frame', t: 102, dir: 'in', truncated: { bytes: 9_000_000, head: '{"a":' } },
      { type: 'fault', t: 103, code: 'ODD', message: 'broke: here' },
      { type: 'gap', t: 104, reason: 'slow-disk' },
    );
    trace.problems.push('Line 9 is torn');
    const { events } = readPage(render(trace));
    expect(events.map(({ event }) => event)).toEqual([
      ...eventsOf(trace),
      { type: 'warning', t: expect.any(Number) as number, code: 'TRACE_PROBLEM', message: 'Line 9 is torn' },
    ]);
  });

  it('allows its own script and style by their hashes, and nothing else', () => {
    const html = render(makeTrace({ calls: 1 }));
    const hash = (text: string): string => createHash('sha256').update(text).digest('base64');
    expect(html).toContain(
      `content="default-src 'none'; script-src 'sha256-${hash(ASSETS.script)}'; style-src 'sha256-${hash(ASSETS.style)}'; img-src data: blob:; base-uri 'none'; form-action 'none'"`,
    );
  });

  it('holds nothing that could end its data, and gives it back as it was', () => {
    const text = '</script><script>x</script><!--<style>&amp;\u2028\u001b[31m';
    const trace = makeTrace({ calls: 1, text });
    trace.header.cwd = text;
    const html = render(trace, { file: text });
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html.match(/<\/script>/g)).toHaveLength(2);
    expect(html).not.toMatch(/<!--/);
    expect(html).not.toContain('\u001b');
    const { events, state } = readPage(html);
    expect(events.map(({ event }) => event)).toEqual(eventsOf(trace));
    expect(state.sessions[0]?.file).toBe(text);
  });

  it('refuses a script that would end its own element', () => {
    const timeline = buildTimeline(makeTrace({ calls: 0 }));
    expect(() => renderWith({ script: 'a="</script>"', style: '' }, timeline)).toThrow(/would end it/);
  });

  it('cuts long texts, and says that it did', () => {
    const trace = makeTrace({ calls: 1, text: 'x'.repeat(50_000) });
    const html = render(trace, { maxFrameCharacters: 1000 });
    expect(html.length).toBeLessThan(20_000);
    const cut = readPage(html).events.filter(({ isCut }) => isCut);
    expect(cut).toHaveLength(4);
    expect(JSON.stringify(cut[0])).toMatch(/49000 more characters/);
    expect(readPage(render(trace)).events.filter(({ isCut }) => isCut)).toHaveLength(4);
  });

  it('is written whatever the function does that is told what is missing', () => {
    const onLeftOut = (): never => {
      throw new Error('mine');
    };
    expect(render(makeTrace({ calls: 100 }), { maxEvents: 50, onLeftOut })).toContain('</html>');
  });

  it('keeps the beginning and the end of a long run, and says what is missing and how to see it', () => {
    const said: string[] = [];
    const trace = makeTrace({ calls: 100 });
    const html = render(trace, {
      maxEvents: 50,
      file: "my run's.jsonl",
      onLeftOut: (text) => said.push(text),
    });
    const { events, state } = readPage(html);
    const all = 3 + trace.steps.length;
    const missing = all - 50;
    expect(events).toHaveLength(51);
    expect(events.slice(0, 25).map(({ n }) => n)).toEqual(
      Array.from({ length: 25 }, (_, index) => index + 1),
    );
    expect(events.slice(26).map(({ n }) => n)).toEqual(
      Array.from({ length: 25 }, (_, index) => all - 24 + index),
    );
    const sentence = `${missing} events are left out, 26 to ${25 + missing}: this page holds 50 events or 20 MB. See all of them with: inboard inspect 'my run'\\''s.jsonl'`;
    expect(events[25]).toMatchObject({
      n: 26,
      event: { type: 'warning', code: 'LEFT_OUT', message: sentence },
    });
    expect(state.leftOut).toBe(sentence);
    expect(said).toEqual([sentence]);
    // What is told of the whole run is told of all of it.
    expect(state.sessions[0]?.events).toBe(all);
  });

  it('keeps to its bytes as well', () => {
    const trace = makeTrace({ calls: 40, text: '"ä"'.repeat(200) });
    const html = render(trace, { maxBytes: 30_000 });
    const [, json = ''] = /id="data">([^<]*)</.exec(html) ?? [];
    expect(Buffer.byteLength(json)).toBeLessThan(32_000);
    const { events, state } = readPage(html);
    expect(state.leftOut).toMatch(/^\d+ events are left out/);
    expect(events.at(-1)?.event.type).toBe('end');
    expect(events[1]?.event.type).toBe('header');
  });
});
