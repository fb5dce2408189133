// Inputs and outputs of the tools that read, change and find files, as CLI 2.1.325 sends them. Fields that CLI 2.1.33 lacks, or
// that are not always there, are optional.

/** `Edit`: replaces a text that occurs once, or with `replace_all` every occurrence of it. */
export interface FileEditInput {
  /** An absolute path. */
  file_path: string;
  old_string: string;
  /** Must differ from `old_string`. */
  new_string: string;
  /** Default false. The CLI fills it in before the call is shown. */
  replace_all?: boolean;
}

/** One changed range of a file, as in a unified diff. */
export interface PatchHunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  /** The lines. Each begins with a space, `+` or `-`. */
  lines: string[];
}

/** The edit that `Edit` made, and the file before it. */
export interface FileEditOutput {
  filePath: string;
  oldString: string;
  newString: string;
  /** The whole file as it was before the edit. Null if it is not reported. */
  originalFile: string | null;
  structuredPatch: PatchHunk[];
  /** Whether a person changed the edit before it was made. */
  userModified: boolean;
  replaceAll: boolean;
  /** True when the model had not read this file before the edit. */
  contentNotInModelContext?: boolean;
}

/** `Write`: creates a file, or replaces all of it. */
export interface FileWriteInput {
  /** An absolute path. */
  file_path: string;
  content: string;
}

/** The file that `Write` created or replaced. */
export interface FileWriteOutput {
  type: 'create' | 'update';
  filePath: string;
  content: string;
  /** Empty for a new file. */
  structuredPatch: PatchHunk[];
  /** Null for a new file. */
  originalFile: string | null;
  userModified?: boolean;
}

/** `Read`: reads a text, an image, a PDF or a notebook. */
export interface FileReadInput {
  /** An absolute path. */
  file_path: string;
  /** The first line to read, counted from 1. */
  offset?: number;
  /** How many lines to read. */
  limit?: number;
  /** The pages of a PDF, at most 20, such as `"3"` or `"1-5"`. */
  pages?: string;
  /** Lifts the usual limit on a text's size. */
  allow_large?: boolean;
}

/** A text file, or the lines of it that were asked for. */
export interface FileReadText {
  type: 'text';
  file: {
    filePath: string;
    content: string;
    numLines: number;
    startLine: number;
    totalLines: number;
  };
}

/** An image. It is scaled down if it was too large for the model. */
export interface FileReadImage {
  type: 'image';
  file: {
    base64: string;
    type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
    /** The size of the file in bytes. */
    originalSize: number;
    dimensions?: {
      originalWidth?: number;
      originalHeight?: number;
      displayWidth?: number;
      displayHeight?: number;
    };
  };
}

/** A cell of a notebook that was read. */
export interface NotebookCell {
  cellType: string;
  source: string;
  execution_count?: number | null;
  cell_id?: string;
  language?: string;
  outputs?: Array<{ output_type: string; text?: string; [field: string]: unknown }>;
}

/** A notebook, cell by cell. */
export interface FileReadNotebook {
  type: 'notebook';
  file: { filePath: string; cells: NotebookCell[] };
}

/** A PDF as a whole, in base64. */
export interface FileReadPdf {
  type: 'pdf';
  file: { filePath: string; base64: string; originalSize: number };
}

/** What `Read` read. Narrow it by `type`. There are further kinds, which depend on programs installed on the machine. */
export type FileReadOutput = FileReadText | FileReadImage | FileReadNotebook | FileReadPdf;

/** `NotebookEdit`: changes, adds or removes one cell. */
export interface NotebookEditInput {
  /** An absolute path. */
  notebook_path: string;
  /** For an insertion, the cell after which the new one comes. */
  cell_id?: string;
  new_source: string;
  cell_type?: 'code' | 'markdown';
  /** Default `replace`. */
  edit_mode?: 'replace' | 'insert' | 'delete';
}

/** The cell that `NotebookEdit` changed, and the notebook before and after. */
export interface NotebookEditOutput {
  new_source: string;
  old_source?: string;
  cell_id?: string;
  cell_type: 'code' | 'markdown';
  language: string;
  edit_mode: string;
  /** Empty if the edit succeeded. */
  error?: string;
  notebook_path: string;
  /** The notebook's JSON before the edit. */
  original_file: string;
  /** The notebook's JSON after the edit. */
  updated_file: string;
}

/** `Glob`: finds files by name. */
export interface GlobInput {
  pattern: string;
  /** Default: the working directory. */
  path?: string;
}

/** What `Glob` found. The paths are absolute on CLI 2.1.33 and relative on 2.1.325. */
export interface GlobOutput {
  filenames: string[];
  durationMs: number;
  numFiles: number;
  /** Whether there were more files. */
  truncated: boolean;
  totalMatches?: number;
  countIsComplete?: boolean;
}

/** `Grep`: finds files by content. Keys with a dash are flags of ripgrep. */
export interface GrepInput {
  /** A regular expression of ripgrep's dialect. */
  pattern: string;
  /** A file or folder. Default: the working directory. */
  path?: string;
  glob?: string;
  /** Default `files_with_matches`. */
  output_mode?: 'content' | 'files_with_matches' | 'count';
  /** How many lines to show before a match. */
  '-B'?: number;
  /** How many lines to show after a match. */
  '-A'?: number;
  /** The same as `context`. */
  '-C'?: number;
  /** How many lines to show on both sides of a match. */
  context?: number;
  /** Shows line numbers. Default true. */
  '-n'?: boolean;
  /** Ignores case. */
  '-i'?: boolean;
  /** Shows only the matched parts. */
  '-o'?: boolean;
  /** One of ripgrep's file types, like `js`. */
  type?: string;
  head_limit?: number;
  offset?: number;
  /** Lets a match span several lines. */
  multiline?: boolean;
}

/** What `Grep` found. Which fields there are depends on `mode`. */
export interface GrepOutput {
  mode?: 'content' | 'files_with_matches' | 'count';
  numFiles: number;
  /** Empty, except in the mode `files_with_matches`. */
  filenames: string[];
  /** Lines as ripgrep prints them. */
  content?: string;
  numLines?: number;
  numMatches?: number;
  totalFiles?: number;
  totalLines?: number;
  appliedLimit?: number;
  appliedOffset?: number;
}
