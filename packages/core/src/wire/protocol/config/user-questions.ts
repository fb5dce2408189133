// Questions to the user: those of MCP servers (elicitations), and those of the CLI (dialogs).

/** An MCP server asks the user something. */
export type ElicitationRequest = {
  serverName: string;
  message: string;
  /** `form` asks for values, `url` sends the user to a page. Default `form`. */
  mode?: 'form' | 'url';
  url?: string;
  elicitationId?: string;
  /** JSON Schema of the values asked for. */
  requestedSchema?: Record<string, unknown>;
  /** The order in which to show the values. */
  propertyOrder?: string[];
  title?: string;
  displayName?: string;
  description?: string;
};

/** What a user may answer to an MCP server. */
export type ElicitationResult = {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, string | number | boolean | string[]> | undefined;
  _meta?: Record<string, unknown> | undefined;
};

/** Answers MCP servers for the user. Without it every question is declined. `null` leaves the question open. */
export type OnElicitation = (
  request: ElicitationRequest,
  options: { signal: AbortSignal; requestId: string },
) => Promise<ElicitationResult | null>;

/** The CLI asks the host to show a dialog of a kind that the host declared in `supportedDialogKinds`. */
export type UserDialogRequest = {
  dialogKind: string;
  payload: Record<string, unknown>;
  toolUseID?: string;
};

/** How a dialog ended. */
export type UserDialogResult = { behavior: 'completed'; result: unknown } | { behavior: 'cancelled' };

/** Shows a dialog to the user. `null` leaves the question open. */
export type OnUserDialog = (
  request: UserDialogRequest,
  options: { signal: AbortSignal; requestId: string },
) => Promise<UserDialogResult | null>;
