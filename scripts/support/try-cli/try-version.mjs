// Tries one version of the CLI: everything that is compared, area by area, and what of it breaks something that Inboard uses.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkFrames } from './check-frames.mjs';
import { sortCases } from './compare-cases.mjs';
import { answersOf, compareShapes, findBrokenRequests, shapesOf } from './compare-frames.mjs';
import { compareLists, compareMaps } from './differences.mjs';
import { playScenes } from './play-scenes.mjs';
import { findRefusedFlags, probeCli } from './probe-cli.mjs';
import { runCases } from './run-cases.mjs';
import { sessionFactsOf } from './session-facts.mjs';
import { readRecordings } from '../protocol/read-recordings.mjs';

const NONE = { same: 0, added: [], gone: [], changed: [] };

/**
 * Compares `tried` with `known` (each `{ version, path }`) and gives the report: `areas`, with what stayed, came, went and
 * changed, and `faults`, which are what Inboard relies on and this CLI does not do.
 */
export async function tryVersion({ tried, known, project, root, parts, say, signal }) {
  const trial = { tried, known, project, root, say, signal };
  const report = { version: tried.version, known: known.version, parts, areas: [], faults: [], notes: [] };
  if (parts.includes('flags')) await tryFlags(trial, report);
  if (parts.includes('session')) await trySession(trial, report);
  if (parts.includes('frames')) await tryFrames(trial, report);
  if (parts.includes('behaviours')) await tryBehaviours(trial, report);
  return report;
}

async function tryFlags({ tried, known, project, say, signal }, report) {
  say('flags and exit codes');
  const before = await probeCli(known.path, signal);
  const after = await probeCli(tried.path, signal);
  report.said = after.said;
  report.areas.push(
    { area: 'flags in --help', ...compareMaps(before.flags, after.flags) },
    { area: 'commands in --help', ...compareLists(before.commands, after.commands) },
    { area: 'ends on bad arguments', ...compareMaps(before.ends, after.ends) },
  );
  const { first, flags, refused } = project.planFlags(tried.version);
  const broken = await findRefusedFlags(tried.path, { first, flags, signal });
  report.areas.push({
    area: 'flags that Inboard writes',
    ...NONE,
    same: flags.length - broken.length,
    gone: broken.map(({ words }) => words.join(' ')),
  });
  for (const { words, why } of broken)
    report.faults.push({ area: 'flags that Inboard writes', what: `${words.join(' ')}: ${why}` });
  if (refused.length > 0)
    report.notes.push(`Options that Inboard refuses for ${tried.version}, by name: ${refused.join(', ')}`);
}

async function trySession({ tried, known, project, say, signal }, report) {
  say('what a session says of its CLI');
  const facts = [];
  for (const cli of [known, tried]) {
    const { traces } = await playScenes(cli, { ...project, only: ['greet'], signal });
    facts.push(traces.has('greet') ? sessionFactsOf(traces.get('greet')) : undefined);
  }
  const [before, after] = facts;
  if (before === undefined || after === undefined) {
    const { version } = before === undefined ? known : tried;
    report.faults.push({ area: 'session', what: `the simplest session could not be had with ${version}` });
    return;
  }
  for (const [name, list] of Object.entries(after))
    report.areas.push({ area: name, ...compareLists(before[name], list) });
}

async function tryFrames({ tried, project, root, say, signal }, report) {
  const onScene = (name) => say(`scene ${name}`);
  const scenes = await playScenes(tried, { ...project, onScene, signal });
  const isPlayed = ({ scene }) => scenes.played.includes(scene);
  const recorded = readRecordings().filter((each) => each.version === project.newest && isPlayed(each));
  let shapes = compareShapes(shapesOf(recorded), shapesOf(scenes.frames));
  const missed = scenesOf(recorded, shapes.gone).filter((name) => scenes.played.includes(name));
  if (missed.length > 0) {
    // What a CLI tells may depend on which of two processes was faster.
    const once = await playScenes(tried, { ...project, only: missed, onScene, signal });
    scenes.frames.push(...once.frames);
    shapes = compareShapes(shapesOf(recorded), shapesOf(scenes.frames));
  }
  report.areas.push({ area: 'messages and fields', ...shapes });
  const answers = answersOf(scenes.frames);
  report.areas.push({ area: 'control requests', ...compareMaps(answersOf(recorded), answers) });
  const since = project.requestVersions;
  const { version } = tried;
  const { compareVersions } = project;
  for (const what of findBrokenRequests(answers, { version, since, compareVersions }))
    report.faults.push({ area: 'control requests', what });
  const schema = JSON.parse(readFileSync(join(root, 'schema', 'frames.schema.json'), 'utf8'));
  const { valid, faults } = checkFrames(scenes.frames, schema);
  report.areas.push({ area: 'frames that fit the schema', ...NONE, same: valid, changed: faults });
  // The schema was made of the oldest and the newest; what came between may lack what only the newest has.
  const isNewer = compareVersions(version, project.newest) >= 0;
  for (const what of faults)
    if (isNewer || !what.includes(': required,'))
      report.faults.push({ area: 'frames that fit the schema', what });
  report.areas.push({ area: 'scenes', ...NONE, same: scenes.played.length, gone: scenes.failed });
  for (const what of scenes.failed) report.faults.push({ area: 'scenes', what });
  for (const what of scenes.refused) report.notes.push(`Scene not played: ${String(what)}`);
}

/** The scenes whose recordings have one of these fields or kinds. */
function scenesOf(recorded, names) {
  const isIn = (frames) => {
    const shapes = shapesOf(frames);
    return names.some((name) => shapes.has(name));
  };
  const all = [...new Set(recorded.map(({ scene }) => scene))];
  return all.filter((name) => isIn(recorded.filter(({ scene }) => scene === name)));
}

async function tryBehaviours({ tried, project, root, say, signal }, report) {
  const run = async (words, options) => {
    say(words);
    return await runCases(root, { signal, ...options });
  };
  const failedOf = (cases) => cases.filter(({ status }) => status === 'failed');
  const isOlder = project.compareVersions(tried.version, project.newest) < 0;
  const asNewest = { ...tried, like: 'newest' };
  const runs = { first: await run('end-to-end cases', { cli: asNewest }) };
  let left = failedOf(runs.first);
  const narrowed = async (name, words, cli) => {
    if (left.length === 0) return;
    runs[name] = await run(`${left.length} cases ${words}`, { cli, cases: left });
    const failed = new Set(failedOf(runs[name]).map(({ id }) => id));
    if (name !== 'known') left = left.filter(({ id }) => failed.has(id));
  };
  await narrowed('again', 'once more, by themselves', asNewest);
  if (isOlder) await narrowed('asOldest', 'held against the oldest CLI', { ...tried, like: 'oldest' });
  await narrowed('known', 'on the known CLI', undefined);
  const { passed, races, likeOldest, refused, broken, failed } = sortCases(runs);
  const ids = (cases) => cases.map(({ id }) => id);
  report.areas.push({
    area: 'behaviours',
    ...NONE,
    same: passed.length + races.length,
    gone: [...ids(failed), ...ids(refused)],
    changed: ids(likeOldest),
  });
  report.cases = {
    passed: passed.length,
    races: ids(races),
    likeOldest: ids(likeOldest),
    refused: ids(refused),
  };
  for (const { id, why } of failed) report.faults.push({ area: 'behaviours', what: id, why });
  for (const { id } of broken)
    report.notes.push(
      `Fails on the known CLI too, here and now, so it says nothing of this one: ${String(id)}`,
    );
}
