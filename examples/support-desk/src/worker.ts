// A worker process: `node --import jiti/register src/worker.ts NAME`, with its settings in an environment variable.
import { openDesk, type DeskSettings } from './desk.ts';
import { WORK } from './workers.ts';

const { cluster } = openDesk(JSON.parse(process.env['DESK_SETTINGS'] ?? '{}') as DeskSettings);
const worker = await cluster.work({ ...WORK, name: process.argv[2] });
const untilSignal = worker.untilSignal();
// The parent is told when work can be had and signals are listened to, and takes the worker along when it is gone.
process.send?.('ready');
process.on('disconnect', () => process.exit());
await untilSignal;
await cluster.close();
process.exit();
