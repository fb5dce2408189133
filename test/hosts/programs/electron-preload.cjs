// Makes Node look like the main process of a packaged Electron app: its versions, and arguments that begin with what
// the user opened. What it cannot do is read archives: "app.asar" is a folder here.
const path = require('node:path');

const versions = { ...process.versions, electron: '45.3.2', chrome: '150.0.0.0' };
Object.defineProperty(process, 'versions', { value: versions });
process.type = 'browser';
process.resourcesPath = path.resolve(process.env.INBOARD_RESOURCES);
process.argv[1] = process.env.INBOARD_OPENED;
