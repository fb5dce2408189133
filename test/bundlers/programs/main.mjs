import { work } from './work.mjs';

console.log(JSON.stringify(await work(process.env.INBOARD_BUNDLED_CLI)));
