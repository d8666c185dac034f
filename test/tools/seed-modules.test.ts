import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { sourceFiles } from "../architecture/source-files.ts";

const ROOT = resolve(import.meta.dir, "../..");

interface Module {
  readonly path: string;
  /** What it exports, types included. */
  readonly exports: readonly string[];
  /** Whom it calls, by the end of their paths. */
  readonly calls?: readonly string[];
}

const files = new Map(sourceFiles().map((file) => [`src/${file.path}`, file]));

/** What a module lacks: itself, an export, or an import of a module that it calls. */
function missing({ path, exports, calls = [] }: Module): readonly string[] {
  const file = files.get(path);
  if (file === undefined) return [path];
  const declared = (name: string) =>
    new RegExp(`^export (?:async )?(?:const|function|type|interface) ${name}\\b`, "m").test(file.text) ||
    new RegExp(`^export (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\}`, "m").test(file.text);
  const called = (end: string) => file.imports.some(({ target }) => target?.endsWith(end));
  return [
    ...exports.filter((name) => !declared(name)).map((name) => `${path} exports no ${name}`),
    ...calls.filter((end) => !called(end)).map((end) => `${path} does not call ${end}`),
  ];
}

const absent = (paths: readonly string[]) => paths.filter((path) => !existsSync(join(ROOT, path)));

describe("the modules of git_status_summary", () => {
  const at = (name: string) => `src/tools/git/git_status_summary/${name}`;

  test("seed 000 §8: `tool.ts` takes the input and calls validator, usecase and error", () => {
    const calls = ["/validator.ts", "git_status_summary/usecase.ts", "/error.ts"];
    expect(missing({ path: at("tool.ts"), exports: ["gitStatusSummaryTool"], calls })).toEqual([]);
  });

  test("seed 000 §8: `types.ts` declares input, output and error codes", () => {
    const names = ["Input", "Output", "ErrorCode"].map((end) => `GitStatusSummary${end}`);
    expect(missing({ path: at("types.ts"), exports: names })).toEqual([]);
  });

  test("seed 000 §8: `validator.ts` holds the checks of `cwd`", () => {
    expect(missing({ path: at("validator.ts"), exports: ["gitStatusSummaryInput"] })).toEqual([]);
  });

  test("seed 000 §8: `usecase.ts` calls exec_command's usecase, `parse_branch.ts` and `error.ts`", () => {
    const calls = ["exec_command/usecase.ts", "/parse_branch.ts", "/error.ts"];
    expect(missing({ path: at("usecase.ts"), exports: ["gitStatusSummary"], calls })).toEqual([]);
  });

  test("seed 000 §8: `parse_branch.ts` has parseBranch, and `error.ts` GitStatusSummaryError and toInternalError", () => {
    expect([
      ...missing({ path: at("parse_branch.ts"), exports: ["parseBranch"] }),
      ...missing({ path: at("error.ts"), exports: ["GitStatusSummaryError", "toInternalError"] }),
    ]).toEqual([]);
  });

  test("seed 000 §8: `tool.test.ts` and `parse_branch.test.ts` are at the seed's paths", () => {
    const folder = "test/tools/git/git_status_summary";
    expect(absent([`${folder}/tool.test.ts`, `${folder}/parse_branch.test.ts`])).toEqual([]);
  });
});

describe("the modules of exec_command", () => {
  const at = (name: string) => `src/tools/exec/exec_command/${name}`;

  test("seed 001 §8: `tool.ts` calls validator and usecase, and `validator.ts` holds the checks", () => {
    const calls = ["/validator.ts", "exec_command/usecase.ts"];
    expect([
      ...missing({ path: at("tool.ts"), exports: ["createExecCommandTool"], calls }),
      ...missing({ path: at("validator.ts"), exports: ["execCommandInput"] }),
    ]).toEqual([]);
  });

  test("seed 001 §5 and §8: `usecase.ts` starts processes by `src/utils/exec.ts` (departs: its function is called `exec`, not `spawn`)", () => {
    const calls = ["utils/exec.ts", "/resolve_command.ts"];
    expect([
      ...missing({ path: at("usecase.ts"), exports: ["runCommand"], calls }),
      ...missing({ path: "src/utils/exec.ts", exports: ["exec"] }),
    ]).toEqual([]);
  });

  test("seed 001 §8: `resolve_command.ts` chooses what to run, and makes COMMAND_NOT_FOUND", () => {
    const names = ["resolveCommand", "commandNotFound"];
    expect(missing({ path: at("resolve_command.ts"), exports: names })).toEqual([]);
  });

  test("seed 001 §8: `tool.test.ts` and `usecase.test.ts` are at the seed's paths", () => {
    const folder = "test/tools/exec/exec_command";
    expect(absent([`${folder}/tool.test.ts`, `${folder}/usecase.test.ts`])).toEqual([]);
  });
});

test("seed 000 §8 and seed 001 §8: `src/lib.ts` offers ToolCatalog and createAgentToolkit, `src/registory/definitions.ts` the definitions", () => {
  expect([
    ...missing({ path: "src/lib.ts", exports: ["ToolCatalog", "createAgentToolkit"] }),
    ...missing({ path: "src/registory/definitions.ts", exports: ["TOOL_DEFINITIONS"] }),
  ]).toEqual([]);
});

describe("the modules of get-current-status", () => {
  const mcp = (name: string) => `src/mcp/tool/get-current-status/${name}`;
  const read = (name: string) => `src/domain/read/current-status/${name}`;

  test("seed 004 Layer Integration: `schema.ts` names the schemas (departs: the tool holds them, for every door)", () => {
    expect(missing({ path: mcp("schema.ts"), exports: ["getCurrentStatusOutputSchema"] })).toEqual([]);
  });

  test("seed 004 Layer Integration: `handler.ts` holds the logic, and `index.ts` exports it (departs: the tool checks first)", () => {
    const [handler, index] = ["handler.ts", "index.ts"].map((name) =>
      missing({ path: mcp(name), exports: ["getCurrentStatusHandler"] }),
    );
    expect([handler, index]).toEqual([[], []]);
  });

  test("seed 004 Layer Integration: the query is in `src/domain/read/current-status/`, its types in `types.ts`", () => {
    const query = { path: read("index.ts"), exports: ["createGetCurrentIssueStatus"], calls: ["/types.ts"] };
    const types = { path: read("types.ts"), exports: ["IssueStatusView", "ReadError"] };
    expect([...missing(query), ...missing(types)]).toEqual([]);
  });

  test("seed 004 Layer Integration: `src/effect/issue-storage.ts` loads the issue", () => {
    const names = ["issueDefinitionExists", "loadIssueDefinition"];
    expect(missing({ path: "src/effect/issue-storage.ts", exports: names })).toEqual([]);
  });
});
