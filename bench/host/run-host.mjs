// One scenario in one process, which the bench starts for every measurement: `node run-host.mjs <settings as JSON>`. Prints
// its figures as one line of JSON. It loads nothing but the scenario's file, since some of them measure what loading costs.
const settings = JSON.parse(process.argv[2]);
const { measure } = await import(`./scenarios/${settings.scenario}.mjs`);
const figures = await measure(settings);
process.stdout.write(`${JSON.stringify(figures)}\n`);
