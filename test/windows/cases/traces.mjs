// Traces: written by the option and by the variable, with paths of Windows, and read again.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run } from 'inboard';
import { text } from 'inboard/testing';
import { buildTimeline, readTrace, renderTimelineHtml, renderTimelineText } from 'inboard/trace';
import { createFake, DOUBLE, playOn, put, startNode } from '../support.mjs';

async function record(after, trace) {
  const fake = createFake(after, DOUBLE);
  await playOn(fake, { transport: fake.transport, trace });
}

const SAY = `
import { run } from ${JSON.stringify(import.meta.resolve('inboard'))};
import { createFakeCli, text } from ${JSON.stringify(import.meta.resolve('inboard/testing'))};
const fake = createFakeCli([text('Hello.')]);
await run({ prompt: 'Hi', options: { transport: fake.transport, settingSources: [] } });
`;

async function sayWith(place, variable) {
  const program = put(join(place, 'agent.mjs'), SAY);
  const { code, stderr } = await startNode([program], {
    cwd: place,
    env: { ...process.env, INBOARD_TRACE: variable },
    input: '',
  }).done;
  assert.equal(code, 0, stderr);
}

export const CASES = {
  'a trace is read again, without problems': async ({ after, place }) => {
    const trace = join(place, 'run.jsonl');
    await record(after, trace);
    const { end, problems } = await readTrace(trace);
    assert.deepEqual(problems, []);
    assert.ok(end);
  },
  'a trace with CRLF is read again, without problems': async ({ after, place }) => {
    const trace = join(place, 'run.jsonl');
    await record(after, trace);
    const other = put(join(place, 'crlf.jsonl'), readFileSync(trace, 'utf8').replaceAll('\n', '\r\n'));
    const [one, two] = await Promise.all([trace, other].map((path) => readTrace(path)));
    assert.deepEqual(two.problems, []);
    assert.deepEqual(two.steps, one.steps);
  },
  'folders above a trace are made': async ({ after, place }) => {
    const trace = join(place, 'a', 'b c', 'run.jsonl');
    await record(after, trace);
    assert.ok(existsSync(trace));
  },
  'a relative trace, with backslashes': async ({ after, place }) => {
    const trace = join(place, 'run.jsonl');
    await record(after, relative(process.cwd(), trace));
    assert.ok(existsSync(trace));
  },
  'a trace in a folder that is named with a slash at its end': async ({ after, place }) => {
    await record(after, `${place.replaceAll('\\', '/')}/traces/`);
    assert.equal(readdirSync(join(place, 'traces')).length, 1);
  },
  'a second session gets a name of its own': async ({ after, place }) => {
    const trace = join(place, 'run.jsonl');
    const fake = createFake(after, [text('Hello.')]);
    const options = { transport: fake.transport, trace, settingSources: [] };
    await Promise.all([run({ prompt: 'a', options }), run({ prompt: 'b', options })]);
    assert.deepEqual(readdirSync(place).toSorted(), ['run-2.jsonl', 'run.jsonl']);
  },
  'INBOARD_TRACE with a drive letter': async ({ place }) => {
    await sayWith(place, join(place, 'run.jsonl'));
    assert.match(readFileSync(join(place, 'run.jsonl'), 'utf8'), /Hello\./);
  },
  'INBOARD_TRACE with a folder and a backslash at its end': async ({ place }) => {
    await sayWith(place, `${place}\\traces\\`);
    assert.equal(readdirSync(join(place, 'traces')).length, 1);
  },
  'a key is hidden in a trace': async ({ after, place }) => {
    const trace = join(place, 'run.jsonl');
    const fake = createFake(after, [text('My key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789.')]);
    await run({ prompt: 'Hi', options: { transport: fake.transport, trace, settingSources: [] } });
    assert.doesNotMatch(readFileSync(trace, 'utf8'), /abcdefghijklmnop/);
  },
  'a trace becomes text and a page': async ({ after, place }) => {
    const trace = join(place, 'run.jsonl');
    await record(after, trace);
    const timeline = buildTimeline(await readTrace(trace));
    assert.match(renderTimelineText(timeline), /double/);
    assert.match(await renderTimelineHtml(timeline), /<html/i);
  },
};
