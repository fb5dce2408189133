// Conversations as virtual objects on a server of Restate, with pods behind one address.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openCalls } from '../ledger-calls.mjs';
import { openAddress } from '../pod-address.mjs';
import { startPod } from '../pod-process.mjs';
import { startRestate, takePorts } from '../restate-server.mjs';

const PROGRAM = fileURLToPath(new URL('../pod-restate.mjs', import.meta.url));

export async function start({ database, folder, node }) {
  const server = await startRestate(mkdtempSync(join(folder, 'restate-')));
  const calls = openCalls(database);
  const address = await openAddress();
  /** By the ids of questions. */
  const awakeables = new Map();
  const invocations = new Map();
  let registered;
  const ready = [];
  const pods = [];

  /** The server reads once from a pod which handlers there are. */
  const untilRegistered = async () => {
    await Promise.all(ready);
    registered ??= request(`${server.admin}/deployments`, { uri: address.url });
    await registered;
  };
  const pathOf = (conversation) => `${server.ingress}/conversations/${encodeURIComponent(conversation)}`;
  return {
    server,
    address,
    startPod: (name, plan) => {
      const pod = startPod({ program: PROGRAM, node, name, plan: { ...plan, database } });
      const saying = pod.says('ready').then(({ port }) => address.add(port));
      saying.catch(() => {});
      ready.push(saying);
      pods.push(pod);
      return pod;
    },
    send: async ({ conversation, id, content }) => {
      await untilRegistered();
      const body = { agent: 'support', id, content };
      const { invocationId } = await request(`${pathOf(conversation)}/turn/send`, body, id);
      invocations.set(`${conversation}/${id}`, invocationId);
    },
    questions: async (conversation) => {
      const questions = await request(`${pathOf(conversation)}/questions`);
      for (const { id, awakeable } of questions) awakeables.set(id, awakeable);
      return questions;
    },
    // While no pod lives, the first goes straight to the server. Another is a message for the object, for when it has a pod again.
    answer: async (conversation, _id, answer) => {
      const path = awakeables.get(answer.id);
      awakeables.delete(answer.id);
      if (path && pods.some((pod) => !pod.hasEnded))
        return await request(`${pathOf(conversation)}/answer`, answer);
      if (path) await request(`${server.ingress}/restate/awakeables/${path}/resolve`, answer);
      else await request(`${pathOf(conversation)}/answer/send`, answer);
      return undefined;
    },
    outcome: (conversation, id) =>
      request(
        `${server.ingress}/restate/invocation/conversations/${encodeURIComponent(conversation)}/turn/${id}/attach`,
      ),
    cancel: async (conversation, id) => {
      await fetch(`${server.admin}/invocations/${invocations.get(`${conversation}/${id}`)}/cancel`, {
        method: 'PATCH',
      });
    },
    pending: (conversation) => request(`${pathOf(conversation)}/pending`),
    complete: async (conversation, _id, callKey, result) => {
      await calls.complete(callKey, result);
      await request(`${pathOf(conversation)}/wake/send`, null);
    },
    stop: async () => {
      await server.stop();
      await calls.close();
      await address.close();
    },
  };
}

/** A server for the code of the page. */
export async function openForPage(folder) {
  const server = await startRestate(mkdtempSync(join(folder, 'restate-')));
  const [port] = await takePorts(1);
  const env = { RESTATE_INGRESS: server.ingress, RESTATE_ADMIN: server.admin, PORT: String(port) };
  return { env, close: () => server.stop() };
}

/** A request with a body is a POST. */
export async function request(url, body, key) {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const said = await response.text();
  if (!response.ok)
    throw Object.assign(new Error(`${url}: ${response.status} ${said}`), { status: response.status });
  return said === '' ? undefined : JSON.parse(said);
}
