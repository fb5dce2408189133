// Errors of serving the inspector's page, the health of a process, and an agent for editors.
import { InboardError, type ErrorFacts } from './base.js';

/** Why the inspector's page is not served. */
export type InspectorFault = 'INSPECTOR_NOT_LISTENING' | 'INSPECTOR_HOST_REFUSED' | 'INSPECTOR_PAGE_MISSING';

/** The inspector's page cannot be served; the sessions it would show continue. */
export class InspectorError extends InboardError {
  static override readonly name: string = 'InspectorError';
  declare readonly code: InspectorFault;
  constructor(code: InspectorFault, message: string, facts: ErrorFacts = {}) {
    super(code, message, facts);
  }
}

/** Why the agent cannot be served to editors. */
export type AcpFault = 'ACP_LIBRARY_MISSING' | 'ACP_LIBRARY_BROKEN';

/** No agent can be served to editors. */
export class AcpError extends InboardError {
  static override readonly name: string = 'AcpError';
  declare readonly code: AcpFault;
  constructor(code: AcpFault, message: string, facts: ErrorFacts = {}) {
    super(code, message, facts);
  }
}

/** Why the health of a process is not served. */
export type HealthFault = 'HEALTH_NOT_LISTENING';

/** No server tells of the health of this process; its work goes on. */
export class HealthError extends InboardError {
  static override readonly name: string = 'HealthError';
  declare readonly code: HealthFault;
  constructor(code: HealthFault, message: string, facts: ErrorFacts = {}) {
    super(code, message, facts);
  }
}
