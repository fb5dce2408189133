// One part of the soak, in a process of its own: prints its measurements as a line of JSON.
import { Gauge } from './gauge.mjs';
import { PARTS } from './parts.mjs';

const [name, scale, minutes] = process.argv.slice(2);
const entryPoint = (path) => import(new URL(`../../dist/entry/${path}.js`, import.meta.url).href);
const { work, heapLimit } = PARTS[name];
const gauge = new Gauge();
const failures = [];
process.on('unhandledRejection', (reason) => failures.push(String(reason)));
const started = Date.now();
const done = await work({
  scale: Number(scale),
  minutes: Number(minutes),
  inboard: await entryPoint('index'),
  testing: await entryPoint('testing'),
  gauge,
});
const verdict = gauge.judge({ heapLimit });
const faults = [...verdict.faults, ...failures.map((failure) => `unhandled: ${failure}`)];
console.log(JSON.stringify({ name, done, seconds: (Date.now() - started) / 1000, ...verdict, faults }));
