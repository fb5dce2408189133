import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import type { FailureReport, FailedFile } from '../../scripts/support/second-try.mjs';

/** An error that no test awaited, with the file that ran when it was thrown. */
interface StrayError {
  message?: string;
  VITEST_TEST_PATH?: string;
}

/** Writes which files failed, and which tests passed only when they were repeated, for `scripts/run-tests.mjs`. */
export default class ReportFailures implements Reporter {
  readonly #path: string;

  constructor(options: { path: string }) {
    this.#path = options.path;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly object[]): void {
    const report: FailureReport = { failed: [], repeated: [], homeless: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        if (test.diagnostic()?.flaky === true)
          report.repeated.push(`${nameOf(module)} > ${describeTest(test)}`);
      }
      if (module.state() === 'failed') report.failed.push(describe(module));
    }
    for (const error of unhandled as readonly StrayError[]) {
      const module = modules.find((one) => one.moduleId === error.VITEST_TEST_PATH);
      if (module === undefined) report.homeless += 1;
      else
        report.failed.push({ ...describe(module), tests: [`thrown beside its tests: ${firstLine(error)}`] });
    }
    writeFileSync(this.#path, JSON.stringify(report));
  }
}

function describe(module: TestModule): FailedFile {
  const tests = [...module.children.allTests('failed')].map(describeTest);
  return { project: module.project.name, file: nameOf(module), tests };
}

function describeTest(test: TestCase): string {
  return `${test.fullName}: ${firstLine(test.result().errors?.[0])}`;
}

function firstLine(error: { message?: string } | undefined): string {
  return error?.message?.split('\n', 1)[0] ?? 'no reason given';
}

function nameOf(module: TestModule): string {
  return relative(process.cwd(), module.moduleId);
}
