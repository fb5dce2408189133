// The rounds: every scenario on every target, then all of it again, so that a load that comes and goes meets all targets alike.

/**
 * The values of each row by target, `values[row][target] = [...]`, what went wrong, and how long each scenario
 * took. `report` is told before each measurement.
 */
export async function runRounds({ scenarios, targets, rounds, measure, report }) {
  const values = {};
  const faults = [];
  const seconds = {};
  for (let round = 1; round <= rounds; round += 1) {
    for (const scenario of scenarios.filter(({ maxRounds = rounds }) => round <= maxRounds)) {
      for (const name of scenario.targets.filter((name) => targets[name] !== undefined)) {
        const begun = performance.now();
        report(`round ${round} of ${rounds}: ${scenario.id}, ${name}`);
        try {
          const figures = await measure(scenario, targets[name]);
          for (const { id, read } of scenario.rows) ((values[id] ??= {})[name] ??= []).push(read(figures));
        } catch (error) {
          faults.push(`${scenario.id}, ${name}, round ${round}: ${error.message}`);
        }
        seconds[scenario.id] = (seconds[scenario.id] ?? 0) + (performance.now() - begun) / 1000;
      }
    }
  }
  return { values, faults, seconds };
}
