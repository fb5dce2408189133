import { useSpans } from '../../packages/otel/test/support.js';
import { telemetryLongCases } from './cases/telemetry.js';
import { forEachCli } from './support/cases.js';
import { newCli } from './support/cli.js';

useSpans();
forEachCli([newCli], telemetryLongCases);
