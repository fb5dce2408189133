// Inputs and outputs of the tools that address the user: questions, plans, messages.

/** One of the answers that a question offers. */
export interface QuestionOption {
  label: string;
  description: string;
  /** Shown beside the option. It is Markdown, or HTML if the program asked for that. */
  preview?: string;
}

/** One question of `AskUserQuestion`, with the answers to choose from. */
export interface UserQuestion {
  /** The text of the question. It is also the key of its answer. */
  question: string;
  /** At most 12 characters. */
  header: string;
  /** Two to four options. */
  options: QuestionOption[];
  multiSelect: boolean;
}

/** `AskUserQuestion`: asks the person questions. The program answers by allowing the call with `answers` filled in. */
export interface AskUserQuestionInput {
  /** One to four questions. */
  questions: UserQuestion[];
  /** The answers, by the text of the question. */
  answers?: Record<string, string>;
  /** What the person added, by the text of the question. */
  annotations?: Record<string, { preview?: string; notes?: string }>;
  metadata?: { source?: string };
}

/** The questions, each with the answer that was chosen or written. */
export interface AskUserQuestionOutput {
  questions: UserQuestion[];
  answers: Record<string, string>;
  annotations?: Record<string, { preview?: string; notes?: string }>;
}

/** `EnterPlanMode`: makes the model only plan from now on. Takes no input. */
export type EnterPlanModeInput = Record<string, never>;

/** What the model is told about working in plan mode. */
export interface EnterPlanModeOutput {
  message: string;
}

/** `ExitPlanMode`: shows the plan. The model sets none of these fields. The CLI adds the plan from its file. */
export interface ExitPlanModeInput {
  plan?: string;
  planFilePath?: string;
  /** The CLI no longer reads this. */
  allowedPrompts?: Array<{ tool: 'Bash'; prompt: string }>;
  [field: string]: unknown;
}

/** The plan as it was approved. `plan` is null if no plan was written. */
export interface ExitPlanModeOutput {
  plan: string | null;
  isAgent: boolean;
  filePath?: string;
}

/** A file that is sent along with a message and is not named by its path. */
export interface MessageAttachment {
  file_uuid: string;
  file_name: string;
  size: number;
  is_image: boolean;
  media_type?: string;
}

/** `SendUserMessage`: writes to the person where plain text is not shown. */
export interface SendUserMessageInput {
  /** The text, in Markdown. */
  message: string;
  attachments?: Array<string | MessageAttachment>;
  /** `proactive` for a message that nobody asked for. */
  status: 'normal' | 'proactive';
}

/** The message as the person received it. */
export interface SendUserMessageOutput {
  message: string;
  /** A time in ISO 8601. */
  sentAt?: string;
  [field: string]: unknown;
}
