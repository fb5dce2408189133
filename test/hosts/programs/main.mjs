// One query, as a program. No `await` at the top: bundles of CommonJS have none.
import { ask } from './ask.mjs';

ask().then(
  (result) => console.log(JSON.stringify(result)),
  (error) => {
    console.error(error);
    process.exitCode = 1;
  },
);
