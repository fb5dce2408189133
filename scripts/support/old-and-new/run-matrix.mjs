// The matrix of two packages: each format is written by one and read by the other, in both directions, and so are links and journals.
// Whoever reads must say the same as who wrote it; what differs is told.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { goOnWith, journalMeaning, leaveConversations } from './journal-turns.mjs';
import { exchangeOverLink, REMOTE_MEANING, tryRefusal } from './remote-link.mjs';
import { copyPrivately, raiseVersion, REFUSALS, STORED_FORMATS, writeAll } from './stored-formats.mjs';

/**
 * Runs it. `recordings` is the folder of what this version has written (`test/fixtures/formats`), `postgres` the address of a database, if
 * there is one. Gives rows `{ what, outcome }`, and what a recording of the earlier package is made of.
 */
export async function runMatrix({ earlier, current, recordings, postgres, log }) {
  const folder = mkdtempSync(join(tmpdir(), 'inboard-old-and-new-'));
  const rows = [];
  const expect = (what, actual, wanted) => {
    const isRight = isDeepStrictEqual(plain(actual), plain(wanted));
    rows.push({ what, isRight, actual, wanted });
    log(`${isRight ? 'as it should be' : 'DIFFERENT'}: ${what}`);
  };
  const facts = { folder, remote: {} };
  try {
    await exchangeFiles({ earlier, current, recordings, folder, expect, facts, log });
    for (const [home, there, name] of [
      [earlier, current, 'client'],
      [current, earlier, 'server'],
      [current, current, 'both'],
    ]) {
      const who = `client of ${home.commit}, server of ${there.commit}`;
      const { meaning, client, server } = await exchangeOverLink({
        home,
        there,
        folder: make(folder, 'link'),
      });
      expect(`a CLI over a link: ${who}`, meaning, REMOTE_MEANING);
      facts.remote[name] = name === 'server' ? server : client;
      const refusal = await tryRefusal({ home, there, folder: make(folder, 'link') });
      expect(`a wrong token: ${who}`, refusal, { code: 'REMOTE_REFUSED', retryable: false });
    }
    if (postgres !== undefined) await exchangeJournals({ earlier, current, postgres, folder, expect, facts });
    return { rows, facts };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function exchangeFiles({ earlier, current, recordings, folder, expect, facts, log }) {
  facts.written = {};
  facts.read = {};
  const folders = { earlier: make(folder, 'written'), current: make(folder, 'written') };
  const versions = {
    earlier: await writeAll(folders.earlier, earlier),
    current: await writeAll(folders.current, current),
  };
  for (const name of Object.keys(versions.earlier)) {
    const files = join(folders.earlier, name);
    const own = await read(name, files, earlier, folder);
    facts.written[name] = { files, meaning: own };
    const said = await read(name, files, current, folder);
    expect(`${name}, written by ${earlier.commit}, read by ${current.commit}`, said, own);
  }
  for (const name of Object.keys(versions.current)) {
    const what = `${name}, written by ${current.commit}, read by ${earlier.commit}`;
    const files = join(folders.current, name);
    const known = versions.earlier[name];
    if (known === undefined) log(`not known there: ${what}`);
    else if (versions.current[name] > known)
      expect(what, await refuse(name, files, earlier, folder), REFUSALS[name]);
    else expect(what, await read(name, files, earlier, folder), await read(name, files, current, folder));
    if (known === undefined || REFUSALS[name] === undefined) continue;
    const raised = copyPrivately(files, join(make(folder, 'raised'), name));
    raiseVersion(name, raised);
    const said = await refuse(name, raised, earlier, folder);
    expect(`${name} of a version to come, read by ${earlier.commit}`, said, REFUSALS[name]);
  }
  // What this version's tests hold the shape of: an earlier package reads these very files.
  for (const name of readdirSync(recordings)) {
    const readable = readdirSync(join(recordings, name)).filter(
      (version) => Number(version.slice(1)) <= (versions.earlier[name] ?? -1),
    );
    for (const version of readable) {
      const files = join(recordings, name, version);
      const said = await read(name, files, earlier, folder);
      facts.read[`${name}/${version}`] = said;
      const wanted = await read(name, files, current, folder);
      expect(`recording ${name} ${version}, read by ${earlier.commit}`, said, wanted);
    }
  }
}

async function refuse(name, files, reader, folder) {
  const copy = copyPrivately(files, join(make(folder, 'copy'), name));
  return await STORED_FORMATS[name].refuse(copy, reader);
}

async function read(name, files, reader, folder) {
  const copy = copyPrivately(files, join(make(folder, 'copy'), name));
  return await STORED_FORMATS[name].read(copy, reader);
}

/** The tables are the earlier package's at first; then each goes on with what the other has left. */
async function exchangeJournals({ earlier, current, postgres, folder, expect, facts }) {
  const place = {
    connectionString: postgres.url,
    schema: `left_by_${earlier.commit}`,
    folder: make(folder, 'journal'),
  };
  await leaveConversations(earlier, place, 'old');
  // Paths are of this run, and where it ran is none of anybody's business.
  facts.journal = (await postgres.dump(place.schema))
    .replaceAll(place.folder, '/home/user')
    .replaceAll(hostname(), 'host');
  for (const [reader, writer, prefix] of [
    [current, earlier, 'old'],
    [earlier, current, 'new'],
  ]) {
    if (prefix === 'new') await leaveConversations(current, place, prefix);
    const seen = await goOnWith(reader, place, prefix);
    expect(`a journal of ${writer.commit}, gone on with by ${reader.commit}`, seen, journalMeaning(prefix));
  }
}

/** Keeps what a run made as recordings of the earlier package. */
export function keepRecordings({ facts, target, write }) {
  rmSync(target, { recursive: true, force: true });
  for (const [name, { files, meaning }] of Object.entries(facts.written)) {
    mkdirSync(join(target, name), { recursive: true });
    cpSync(files, join(target, name, 'written'), { recursive: true });
    write(join(target, name, 'meaning.json'), meaning);
  }
  write(join(target, 'read.json'), facts.read);
  write(join(target, 'link.json'), {
    client: facts.remote.client.toString('base64'),
    server: facts.remote.server.toString('base64'),
  });
  if (facts.journal !== undefined) write(join(target, 'journal.sql'), facts.journal);
}

let made = 0;
function make(folder, name) {
  made += 1;
  const place = join(folder, `${name}-${made}`);
  if (!existsSync(place)) mkdirSync(place, { recursive: true });
  return place;
}

/** As it is in a file: without fields that are undefined. */
const plain = (value) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
