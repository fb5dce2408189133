import { useSpans } from '../../packages/otel/test/support.js';
import { telemetryCases } from './cases/telemetry.js';
import { forEachCli } from './support/cases.js';
import { oldCli } from './support/cli.js';

forEachCli([oldCli], telemetryCases(useSpans()));
