// Calls as the CLI made them (paths and long texts shortened; `Task` and `TaskOutput` by 2.1.33, the rest by 2.1.325).
// `satisfies` fails on a field that the types lack or call by another type.
import { describe, expect, expectTypeOf, it } from 'vitest';
import type {
  AgentOutput,
  AskUserQuestionInput,
  BashInput,
  FileReadOutput,
  McpOutput,
  ProjectsInput,
  ToolInputMap,
  ToolInputSchemas,
  ToolOutputMap,
  ToolOutputSchemas,
} from '../../packages/inboard/src/sdk-tools.js';

type Call = {
  [Tool in keyof ToolInputMap]: { tool: Tool; input: ToolInputMap[Tool]; output: ToolOutputMap[Tool] };
}[keyof ToolInputMap];

const calls = [
  {
    tool: 'Bash',
    input: { command: 'echo out; echo err >&2' },
    output: { stdout: 'out\nerr', stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
  },
  {
    tool: 'Bash',
    input: { command: 'sleep 5', run_in_background: true },
    output: {
      stdout: '',
      stderr: '',
      interrupted: false,
      isImage: false,
      noOutputExpected: false,
      backgroundTaskId: 'bl7431l8a',
    },
  },
  {
    tool: 'Bash',
    input: { command: 'seq 1 20000' },
    output: {
      stdout: '…',
      stderr: '',
      interrupted: false,
      isImage: false,
      noOutputExpected: false,
      persistedOutputPath: '…',
      persistedOutputSize: 108894,
    },
  },
  {
    tool: 'Read',
    input: { file_path: '/repo/b.txt' },
    output: {
      type: 'text',
      file: {
        filePath: '/repo/b.txt',
        content: 'one\ntwo\nthree\n',
        numLines: 4,
        startLine: 1,
        totalLines: 4,
      },
    },
  },
  {
    tool: 'Read',
    input: { file_path: '/repo/p.png' },
    output: {
      type: 'image',
      file: {
        base64: '…',
        type: 'image/png',
        originalSize: 70,
        dimensions: { originalWidth: 1, originalHeight: 1, displayWidth: 1, displayHeight: 1 },
      },
    },
  },
  {
    tool: 'Read',
    input: { file_path: '/repo/n.ipynb' },
    output: {
      type: 'notebook',
      file: {
        filePath: '/repo/n.ipynb',
        cells: [
          {
            cellType: 'code',
            source: 'print(1)',
            execution_count: 1,
            cell_id: 'c1',
            language: 'python',
            outputs: [{ output_type: 'stream', text: '1\n' }],
          },
        ],
      },
    },
  },
  {
    tool: 'Read',
    input: { file_path: '/repo/d.pdf' },
    output: { type: 'pdf', file: { filePath: '/repo/d.pdf', base64: '…', originalSize: 301 } },
  },
  {
    tool: 'Edit',
    input: { replace_all: false, file_path: '/repo/b.txt', old_string: 'two', new_string: 'TWO' },
    output: {
      filePath: '/repo/b.txt',
      oldString: 'two',
      newString: 'TWO',
      originalFile: 'one\ntwo\nthree\n',
      structuredPatch: [
        { oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [' one', '-two', '+TWO', ' three'] },
      ],
      userModified: false,
      replaceAll: false,
    },
  },
  {
    tool: 'Write',
    input: { file_path: '/repo/c.txt', content: 'new\n' },
    output: {
      type: 'create',
      filePath: '/repo/c.txt',
      content: 'new\n',
      structuredPatch: [],
      originalFile: null,
      userModified: false,
    },
  },
  {
    tool: 'Write',
    input: { file_path: '/repo/c.txt', content: 'newer\n' },
    output: {
      type: 'update',
      filePath: '/repo/c.txt',
      content: 'newer\n',
      structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-new', '+newer'] }],
      originalFile: 'new\n',
      userModified: false,
    },
  },
  {
    tool: 'Glob',
    input: { pattern: '*.txt' },
    output: {
      filenames: ['a.txt', 'b.txt', 'c.txt'],
      durationMs: 17,
      numFiles: 3,
      truncated: false,
      totalMatches: 3,
      countIsComplete: true,
    },
  },
  {
    tool: 'Grep',
    input: { pattern: 'one' },
    output: { mode: 'files_with_matches', filenames: ['b.txt'], numFiles: 1, totalFiles: 1 },
  },
  {
    tool: 'Grep',
    input: { pattern: 'one', output_mode: 'content', '-n': true },
    output: {
      mode: 'content',
      numFiles: 0,
      filenames: [],
      content: 'b.txt:1:one',
      numLines: 1,
      totalLines: 1,
    },
  },
  {
    tool: 'Grep',
    input: { pattern: 'one', output_mode: 'count' },
    output: { mode: 'count', numFiles: 1, filenames: [], content: 'b.txt:1', numMatches: 1 },
  },
  {
    tool: 'Grep',
    input: { pattern: 'e', output_mode: 'content', head_limit: 1 },
    output: {
      mode: 'content',
      numFiles: 0,
      filenames: [],
      content: '…',
      numLines: 1,
      totalLines: 11,
      appliedLimit: 1,
    },
  },
  {
    tool: 'NotebookEdit',
    input: { notebook_path: '/repo/n.ipynb', cell_id: 'c1', new_source: 'print(2)' },
    output: {
      new_source: 'print(2)',
      old_source: 'print(1)',
      cell_type: 'code',
      language: 'python',
      edit_mode: 'replace',
      cell_id: 'c1',
      error: '',
      notebook_path: '/repo/n.ipynb',
      original_file: '…',
      updated_file: '…',
    },
  },
  {
    tool: 'NotebookEdit',
    input: {
      notebook_path: '/repo/n.ipynb',
      cell_id: 'c1',
      new_source: '# hi',
      edit_mode: 'insert',
      cell_type: 'markdown',
    },
    output: {
      new_source: '# hi',
      cell_type: 'markdown',
      language: 'python',
      edit_mode: 'insert',
      cell_id: 'fe405ec1',
      error: '',
      notebook_path: '/repo/n.ipynb',
      original_file: '…',
      updated_file: '…',
    },
  },
  {
    tool: 'WebSearch',
    input: { query: 'x y z' },
    output: {
      query: 'x y z',
      results: [
        { tool_use_id: 'srvtoolu_1', content: [{ title: 'A', url: 'https://example.test/a' }] },
        'Found A',
      ],
      durationSeconds: 0.5476475749999999,
      searchCount: 1,
    },
  },
  {
    tool: 'TaskCreate',
    input: { subject: 's', description: 'd', metadata: { a: 1 } },
    output: { task: { id: '1', subject: 's', description: 'd' } },
  },
  {
    tool: 'TaskCreate',
    input: { subject: 's2', description: 'd2' },
    output: { task: { id: '2', subject: 's2', description: 'd2' } },
  },
  {
    tool: 'TaskGet',
    input: { taskId: '1' },
    output: {
      task: { id: '1', subject: 's', description: 'd', status: 'pending', blocks: [], blockedBy: [] },
    },
  },
  { tool: 'TaskGet', input: { taskId: '99' }, output: { task: null } },
  {
    tool: 'TaskUpdate',
    input: { taskId: '1', status: 'in_progress', addBlocks: ['2'] },
    output: {
      success: true,
      taskId: '1',
      updatedFields: ['status', 'blocks'],
      statusChange: { from: 'pending', to: 'in_progress' },
    },
  },
  {
    tool: 'TaskUpdate',
    input: { taskId: '99', status: 'completed' },
    output: { success: false, taskId: '99', updatedFields: [], error: 'Task not found' },
  },
  {
    tool: 'TaskList',
    input: {},
    output: {
      tasks: [
        { id: '1', subject: 's', status: 'in_progress', blockedBy: [] },
        { id: '2', subject: 's2', status: 'pending', blockedBy: ['1'] },
      ],
    },
  },
  { tool: 'Skill', input: { skill: 'greet', args: 'you' }, output: { success: true, commandName: 'greet' } },
  {
    tool: 'ListMcpResourcesTool',
    input: {},
    output: [
      {
        name: 'greeting',
        title: 'Greeting',
        uri: 'demo://greeting',
        description: 'a text',
        mimeType: 'text/plain',
        server: 'r',
      },
      { name: 'blob', uri: 'demo://blob', mimeType: 'image/png', server: 'r' },
    ],
  },
  {
    tool: 'ReadMcpResourceTool',
    input: { server: 'r', uri: 'demo://greeting' },
    output: { contents: [{ uri: 'demo://greeting', mimeType: 'text/plain', text: 'hello' }] },
  },
  {
    tool: 'ReadMcpResourceTool',
    input: { server: 'r', uri: 'demo://blob' },
    output: { contents: [{ uri: 'demo://blob', mimeType: 'image/png', blobSavedTo: '…', text: '…' }] },
  },
  {
    tool: 'ReadMcpResourceDirTool',
    input: { server: 'r', uri: 'demo://dir' },
    output: { resources: [], error: 'Directory listing is not enabled in this build.' },
  },
  {
    tool: 'CronCreate',
    input: { cron: '0 0 1 1 *', prompt: 'p' },
    output: {
      id: '3c178db4',
      humanSchedule: '0 0 1 1 *',
      recurring: true,
      durable: false,
      nextFireAt: 1798763400000,
    },
  },
  {
    tool: 'CronList',
    input: {},
    output: {
      jobs: [
        {
          id: '3c178db4',
          cron: '0 0 1 1 *',
          humanSchedule: '0 0 1 1 *',
          prompt: 'p',
          recurring: true,
          durable: false,
          nextFireAt: 1798763400000,
        },
      ],
    },
  },
  { tool: 'ListAgents', input: {}, output: { listing: '…', sections: [], notes: [] } },
  {
    tool: 'ReportFindings',
    input: { level: 'low', findings: [{ file: 'a', line: 1, summary: 's', failure_scenario: 'f' }] },
    output: {
      count: 1,
      level: 'low',
      findings: [{ file: 'a', line: 1, summary: 's', failure_scenario: 'f' }],
    },
  },
  {
    tool: 'ScheduleWakeup',
    input: { stop: true },
    output: {
      scheduledFor: 0,
      clampedDelaySeconds: 0,
      wasClamped: false,
      stopped: true,
      cancelledWakeups: 0,
    },
  },
  {
    tool: 'Monitor',
    input: { description: 'm', timeout_ms: 1000, command: 'echo 1' },
    output: { taskId: 'behk4i0fe', timeoutMs: 1000, persistent: false },
  },
  {
    tool: 'Agent',
    input: {
      description: 'd',
      prompt: 'SUBAGENT do',
      subagent_type: 'general-purpose',
      run_in_background: false,
    },
    output: {
      status: 'completed',
      prompt: 'SUBAGENT do',
      agentId: 'ae1cbc90da23333ae',
      agentType: 'general-purpose',
      content: [{ type: 'text', text: 'sub done' }],
      resolvedModel: 'claude-opus-5-5',
      totalDurationMs: 104,
      totalTokens: 15,
      totalToolUseCount: 0,
      usage: {
        input_tokens: 10,
        output_tokens: 5,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        service_tier: 'standard',
      },
      canContinueAgent: true,
    },
  },
  {
    tool: 'Agent',
    input: { description: 'd', prompt: 'SUBAGENT do', subagent_type: 'general-purpose' },
    output: {
      isAsync: true,
      status: 'async_launched',
      agentId: 'a660c25743915e020',
      description: 'd',
      resolvedModel: 'claude-opus-5-5',
      prompt: 'SUBAGENT do',
      outputFile: '…',
      canReadOutputFile: true,
      canContinueAgent: true,
    },
  },
  {
    tool: 'Agent',
    input: { description: 'd', prompt: 'SUBAGENT do', run_in_background: false, isolation: 'worktree' },
    output: {
      status: 'completed',
      prompt: 'SUBAGENT do',
      agentId: 'a6c3ed6f0605284e8',
      agentType: 'general-purpose',
      content: [{ type: 'text', text: 'sub done' }],
      resolvedModel: 'claude-opus-5-5',
      totalDurationMs: 238,
      totalTokens: 15,
      totalToolUseCount: 0,
      usage: {
        input_tokens: 10,
        output_tokens: 5,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        service_tier: 'standard',
      },
      canContinueAgent: true,
    },
  },
  {
    tool: 'AskUserQuestion',
    input: {
      questions: [
        {
          question: 'Q?',
          header: 'H',
          options: [
            { label: 'a', description: 'A' },
            { label: 'b', description: 'B' },
          ],
          multiSelect: false,
        },
      ],
    },
    output: {
      questions: [
        {
          question: 'Q?',
          header: 'H',
          options: [
            { label: 'a', description: 'A' },
            { label: 'b', description: 'B' },
          ],
          multiSelect: false,
        },
      ],
      answers: { 'Q?': 'a' },
    },
  },
  { tool: 'EnterPlanMode', input: {}, output: { message: '…' } },
  {
    tool: 'ExitPlanMode',
    input: { plan: '# plan' },
    output: { plan: null, isAgent: false, filePath: '/config/plans/validated-imagining-lake.md' },
  },
  {
    tool: 'EnterWorktree',
    input: { name: 'w1' },
    output: { worktreePath: '/repo/.claude/worktrees/w1', worktreeBranch: 'worktree-w1', message: '…' },
  },
  {
    tool: 'ExitWorktree',
    input: { action: 'remove', discard_changes: true },
    output: {
      action: 'remove',
      originalCwd: '/repo',
      worktreePath: '/repo/.claude/worktrees/w1',
      worktreeBranch: 'worktree-w1',
      discardedFiles: 0,
      discardedCommits: 0,
      restoredCwd: '/repo',
      originalCwdMissing: false,
      message: '…',
    },
  },
  {
    tool: 'SendMessage',
    input: { to: 'nobody', message: 'hi' },
    output: { success: false, message: '…', display: "Not sent — no agent named 'nobody' is reachable." },
  },
  {
    tool: 'Workflow',
    input: { script: "export const meta = { name: 'w', description: 'd', phases: [] }\nreturn 1" },
    output: {
      status: 'async_launched',
      taskId: 'waqa0yxaa',
      taskType: 'local_workflow',
      workflowName: 'w',
      runId: 'wf_f0fdf473-de2',
      summary: 'd',
      transcriptDir: '…',
      scriptPath: '…',
    },
  },
  {
    tool: 'WebFetch',
    input: { url: 'https://127.0.0.1/', prompt: 'what?' },
    output: {
      bytes: 57,
      code: 200,
      codeText: 'OK',
      result: 'none',
      durationMs: 460,
      url: 'https://127.0.0.1/',
    },
  },
  {
    tool: 'TaskStop',
    input: { task_id: 'bmi0kyxhb' },
    output: {
      message: 'Successfully stopped task: bmi0kyxhb (sleep 30)',
      task_id: 'bmi0kyxhb',
      task_type: 'local_bash',
      command: 'sleep 30',
    },
  },
  {
    tool: 'Read',
    input: { file_path: '/repo/b.txt', offset: 2, limit: 1 },
    output: {
      type: 'text',
      file: { filePath: '/repo/b.txt', content: 'two', numLines: 1, startLine: 2, totalLines: 4 },
    },
  },
  {
    tool: 'Edit',
    input: { replace_all: true, file_path: '/repo/b.txt', old_string: 'one', new_string: '1' },
    output: {
      filePath: '/repo/b.txt',
      oldString: 'one',
      newString: '1',
      originalFile: 'one\ntwo\nthree\n',
      structuredPatch: [
        { oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: ['-one', '+1', ' two', ' three'] },
      ],
      userModified: false,
      replaceAll: true,
      contentNotInModelContext: true,
    },
  },
  {
    tool: 'Grep',
    input: { pattern: 'zzz' },
    output: { mode: 'files_with_matches', filenames: [], numFiles: 0, totalFiles: 0 },
  },
  {
    tool: 'Glob',
    input: { pattern: 'zzz*' },
    output: {
      filenames: [],
      durationMs: 16,
      numFiles: 0,
      truncated: false,
      totalMatches: 0,
      countIsComplete: true,
    },
  },
  {
    tool: 'TaskUpdate',
    input: { taskId: '1', status: 'deleted' },
    output: {
      success: true,
      taskId: '1',
      updatedFields: ['deleted'],
      statusChange: { from: 'pending', to: 'deleted' },
    },
  },
  {
    tool: 'CronCreate',
    input: { cron: '*/5 * * * *', prompt: 'p', recurring: false },
    output: {
      id: '01c03071',
      humanSchedule: 'Every 5 minutes',
      recurring: false,
      durable: false,
      nextFireAt: 1794716100000,
    },
  },
  {
    tool: 'ScheduleWakeup',
    input: { delaySeconds: 60, reason: 'r', prompt: 'p' },
    output: { scheduledFor: 1794716100000, clampedDelaySeconds: 60, wasClamped: false },
  },
  {
    tool: 'ExitPlanMode',
    input: { plan: '# my plan', planFilePath: '/config/plans/golden-nibbling-twilight.md' },
    output: { plan: '# my plan', isAgent: false, filePath: '/config/plans/golden-nibbling-twilight.md' },
  },
  { tool: 'CronDelete', input: { id: '346c3e6f' }, output: { id: '346c3e6f' } },
  {
    tool: 'Grep',
    input: { pattern: 'e', output_mode: 'content', offset: 1, head_limit: 1 },
    output: {
      mode: 'content',
      numFiles: 0,
      filenames: [],
      content: 'd.pdf:3:xref',
      numLines: 1,
      totalLines: 10,
      appliedLimit: 1,
      appliedOffset: 1,
    },
  },
  {
    tool: 'TaskUpdate',
    input: { taskId: '1', owner: 'me', metadata: { a: 1 } },
    output: { success: true, taskId: '1', updatedFields: ['owner', 'metadata'] },
  },
  {
    tool: 'TaskList',
    input: {},
    output: { tasks: [{ id: '1', subject: 's', status: 'pending', owner: 'me', blockedBy: [] }] },
  },
  {
    tool: 'NotebookEdit',
    input: { notebook_path: '/repo/n.ipynb', cell_id: 'c1', new_source: '', edit_mode: 'delete' },
    output: {
      new_source: '',
      old_source: 'print(1)',
      cell_type: 'code',
      language: 'python',
      edit_mode: 'delete',
      cell_id: 'c1',
      error: '',
      notebook_path: '/repo/n.ipynb',
      original_file: '…',
      updated_file: '…',
    },
  },
  {
    tool: 'ExitWorktree',
    input: { action: 'keep' },
    output: {
      action: 'keep',
      originalCwd: '/repo',
      worktreePath: '/repo/.claude/worktrees/w2',
      worktreeBranch: 'worktree-w2',
      restoredCwd: '/repo',
      originalCwdMissing: false,
      message: '…',
    },
  },
  {
    tool: 'Bash',
    input: { command: 'ls', dangerouslyDisableSandbox: true },
    output: {
      stdout: 'a.txt\nb.txt\nd.pdf\nempty\nn.ipynb\np.png',
      stderr: '',
      interrupted: false,
      isImage: false,
      noOutputExpected: false,
      dangerouslyDisableSandbox: true,
    },
  },
  {
    tool: 'TodoWrite',
    input: { todos: [{ content: 'a', status: 'pending', activeForm: 'A' }] },
    output: { oldTodos: [], newTodos: [{ content: 'a', status: 'pending', activeForm: 'A' }] },
  },
  {
    tool: 'TodoWrite',
    input: { todos: [{ content: 'a', status: 'completed', activeForm: 'A' }] },
    output: {
      oldTodos: [{ content: 'a', status: 'pending', activeForm: 'A' }],
      newTodos: [{ content: 'a', status: 'completed', activeForm: 'A' }],
    },
  },
  {
    tool: 'SendUserMessage',
    input: { message: 'hello', status: 'normal' },
    output: { message: 'hello', sentAt: '2026-11-15T04:12:43.930Z' },
  },
  {
    tool: 'Task',
    input: { description: 'd', prompt: 'SUBAGENT do', subagent_type: 'general-purpose' },
    output: {
      status: 'completed',
      prompt: 'SUBAGENT do',
      agentId: 'a67800e',
      content: [{ type: 'text', text: 'sub done' }],
      totalDurationMs: 167,
      totalTokens: 15,
      totalToolUseCount: 0,
      usage: {
        input_tokens: 10,
        output_tokens: 5,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        service_tier: 'standard',
      },
    },
  },
  {
    tool: 'Task',
    input: {
      description: 'd',
      prompt: 'SUBAGENT do',
      subagent_type: 'general-purpose',
      run_in_background: true,
    },
    output: {
      isAsync: true,
      status: 'async_launched',
      agentId: 'a54c7ac',
      description: 'd',
      prompt: 'SUBAGENT do',
      outputFile: '/scratch/a.output',
    },
  },
  {
    tool: 'TaskOutput',
    input: { task_id: 'a54c7ac', block: true, timeout: 3000 },
    output: {
      retrieval_status: 'success',
      task: {
        task_id: 'a54c7ac',
        task_type: 'local_agent',
        status: 'completed',
        description: 'd',
        output: '',
        prompt: 'SUBAGENT do',
        result: '',
      },
    },
  },
] satisfies Call[];

const mcpResults = [
  [{ type: 'text', text: 'plain' }],
  { content: '{"a":1}', structuredContent: { a: 1 } },
] satisfies McpOutput[];

describe('types of the built-in tools', () => {
  it('hold what the CLI sent', () => {
    const seen = new Set<string>(calls.map((call) => call.tool));
    expect(seen.size).toBeGreaterThan(30);
    expect(mcpResults).toHaveLength(2);
  });

  it('are all in the unions, as the official names promise', () => {
    expectTypeOf<(typeof calls)[number]['input']>().toExtend<ToolInputSchemas>();
    expectTypeOf<(typeof calls)[number]['output']>().toExtend<ToolOutputSchemas>();
    expectTypeOf<keyof ToolInputMap>().toEqualTypeOf<keyof ToolOutputMap>();
  });

  it('name what is required', () => {
    expectTypeOf<{ command: string }>().toExtend<BashInput>();
    expectTypeOf<{ timeout: number }>().not.toExtend<BashInput>();
    expectTypeOf<
      AskUserQuestionInput['questions'][number]['options'][number]['label']
    >().toEqualTypeOf<string>();
  });

  it('narrow by their tag', () => {
    expectTypeOf<Extract<FileReadOutput, { type: 'image' }>['file']['base64']>().toEqualTypeOf<string>();
    expectTypeOf<Extract<AgentOutput, { status: 'async_launched' }>['outputFile']>().toEqualTypeOf<string>();
  });

  it('say nothing about the fields of tools that were never seen', () => {
    expectTypeOf<ProjectsInput['anything']>().toEqualTypeOf<unknown>();
  });
});
