/** Lists the sections of the seeds, in their order, and the clauses that no test can hold, each with its reason. */

export interface Seed {
  readonly number: string;
  readonly title: string;
  readonly sections: readonly Section[];
}

export interface Section {
  /** As titles of tests and comments of the code name it; without a comma, a colon or "and". */
  readonly name: string;
  /** What the page says behind the name. */
  readonly title?: string;
  readonly untried?: readonly Untried[];
}

export interface Untried {
  readonly clause: string;
  readonly reason: string;
}

const nothing = (clause: string): Untried => ({ clause, reason: "nothing to build" });
const ofTheRun = (clause: string): Untried => ({ clause, reason: "held by each run of the tests" });

/** The sections that seeds 000 and 001 share. */
const FEATURE_SPEC = {
  purpose: { name: "§1", title: "Purpose" },
  useCases: { name: "§2", title: "Use cases" },
  must: { name: "§3.1", title: "MUST" },
  should: { name: "§3.2", title: "SHOULD" },
  input: { name: "§4.1", title: "Input" },
  output: { name: "§4.2", title: "Output" },
  error: { name: "§4.3", title: "Error" },
  definition: { name: "§4.4", title: "Tool Definition Metadata" },
  execution: { name: "§5", title: "Execution model" },
  ranking: { name: "§6", title: "Ranking", untried: [nothing("Nothing is ranked, there is one result")] },
  filters: { name: "§7", title: "Filters" },
  modules: { name: "§8", title: "Modules" },
  later: { name: "§9", title: "Later" },
  questions: { name: "§10", title: "Open questions", untried: [nothing("None")] },
  done: {
    name: "§11",
    title: "Definition of Done",
    untried: [ofTheRun("The main cases of both test files pass, and `bun test` succeeds")],
  },
} satisfies Readonly<Record<string, Section>>;

export const SEEDS: readonly Seed[] = [
  {
    number: "000",
    title: "Feature Spec: `git_status_summary`",
    sections: featureSpec({
      name: "§3.3",
      title: "WON'T",
      untried: [
        nothing("No other git commands, submodule details, ignored files or several repositories"),
        nothing("No porcelain v2, and no structured entries and counts"),
      ],
    }),
  },
  {
    number: "001",
    title: "Feature Spec: `exec_command`",
    sections: featureSpec({
      name: "§3.3",
      title: "WON'T",
      untried: [
        nothing(
          "No background processes of its own, and no start-up scripts of a shell for particular tools",
        ),
      ],
    }),
  },
  {
    number: "002",
    title: "Task 3.1.1 Git Command Tool Definition",
    sections: [
      {
        name: "Status",
        title: "with Branch and Planning Reference",
        untried: [nothing("The history of the origin")],
      },
      { name: "Summary" },
      {
        name: "Files",
        title: "created and modified",
        untried: [nothing("39 tests of the definition and 20 of the handler, in the origin")],
      },
      { name: "Tool Schema" },
      { name: "Always Allowed" },
      { name: "Allowed with Confirmation" },
      { name: "Blocked by Default" },
      { name: "Key Functions" },
      { name: "Handler Validation" },
      { name: "Test Coverage" },
      { name: "Example Usage" },
      { name: "Running Tests", untried: [nothing("The test command of the origin")] },
      { name: "Next Steps" },
    ],
  },
  {
    number: "003",
    title: "Worktree Workflow Diagram",
    sections: [
      { name: "Overall architecture" },
      {
        name: "Services",
        title: "who does what",
      },
      { name: "Phase 1", title: "making the worktree" },
      { name: "Folders" },
      { name: "Phase 2", title: "running the agent" },
      { name: "AgentConstraints" },
      { name: "Phase 3", title: "commit and push" },
      { name: "Push with retry" },
      { name: "Phase 4", title: "going on in the same worktree" },
      { name: "Whole workflow" },
      { name: "Pull request" },
      { name: "Clean-up" },
      { name: "GitService", title: "methods" },
      { name: "RunService", title: "states" },
      { name: "Orchestrator", title: "why it alone writes git" },
      { name: "Related files" },
    ],
  },
  {
    number: "004",
    title: "Design Document (get-current-status)",
    sections: [
      { name: "Overview" },
      { name: "Layer Integration" },
      { name: "Data Flow" },
      { name: "MCP Tool Interface" },
      { name: "Domain Read Model" },
      { name: "Effect Layer Extensions" },
      { name: "Input/Output Models" },
      { name: "Domain Models" },
      { name: "Error Categories" },
      { name: "Error Handling Strategy" },
      { name: "Schema Validation Tests" },
      { name: "Handler Logic Tests" },
      { name: "Domain Read Model Tests" },
      { name: "End-to-End Flow Tests" },
      { name: "Error Scenario Tests" },
      { name: "Functional Error Handling" },
      { name: "Schema-First Design" },
      { name: "Structured Output Pattern" },
      { name: "CQRS Pattern Compliance" },
      { name: "Domain-Driven Design Alignment" },
      { name: "MCP Framework Integration" },
    ],
  },
];

function featureSpec(wont: Section): readonly Section[] {
  const { purpose, useCases, must, should, ...rest } = FEATURE_SPEC;
  return [purpose, useCases, must, should, wont, ...Object.values(rest)];
}
