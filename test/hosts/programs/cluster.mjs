// A query in each of two cluster workers, as PM2 runs programs in cluster mode; the primary prints what one of them told.
import cluster from 'node:cluster';
import { ask } from './ask.mjs';

if (cluster.isPrimary) {
  const results = await Promise.all([0, 1].map(() => nextMessage(cluster.fork())));
  if (new Set(results.map((result) => JSON.stringify(result))).size !== 1)
    throw new Error(`the workers do not agree: ${JSON.stringify(results)}`);
  console.log(JSON.stringify(results[0]));
} else {
  process.send(await ask(), () => process.disconnect());
}

function nextMessage(worker) {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('exit', (code) => reject(new Error(`the worker ended with ${code} and said nothing`)));
  });
}
