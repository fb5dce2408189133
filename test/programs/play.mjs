// Plays one program in this process: node play.mjs <name> <folder of its installation> <inboard/testing> <CLI>.
// Prints its facts as one line of JSON.
import { playOnStage } from './stage.mjs';

const [name, folder, testing, cli] = process.argv.slice(2);
const play = await import(`./plays/${name}.mjs`);
const facts = await playOnStage({ folder, testing, cli }, play);
process.stdout.write(`\n@@facts ${JSON.stringify(facts)}\n`);
