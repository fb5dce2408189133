// Runs one probe in a process of its own, and prints what it found as the last line: a peer that hangs, or leaves a handle behind, holds
// up no other.
//   node test/peers/run-probe.mjs ai-sdk parallel
import { runProbe } from './probes/load-probes.mjs';

const [peer, name] = process.argv.slice(2);
const found = await runProbe(peer, name);
process.stdout.write(`\n${JSON.stringify({ found })}\n`, () => process.exit());
