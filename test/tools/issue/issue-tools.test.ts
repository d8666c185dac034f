import { describe, expect, setDefaultTimeout, setSystemTime, test } from "bun:test";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  createAgentToolkit,
  type GetCurrentStatusParams,
  type GetCurrentStatusResponse,
} from "../../../src/lib.ts";
import { contextOn } from "../../../src/tools/core/context.ts";
import {
  getCurrentStatusOutputSchema,
  getCurrentStatusSchema,
} from "../../../src/tools/issue/get_current_status/validator.ts";
import { toolkitIn } from "../toolkit-in.ts";

// Real files and many runs, on a busy machine.
setDefaultTimeout(150_000);

const texts = { issue: "課題", context: "背景", constraints: "制約" };
const file = (root: string) => join(root, ".tazuna", "issue.json");

/** A toolkit whose process has these variables. */
function toolkitWith(workspaceRoot: string, env: Readonly<Record<string, string>>) {
  const host = { platform: process.platform, environment: () => env };
  return createAgentToolkit(contextOn(host, { workspaceRoot, policy: { defaultPolicy: "allow" } }));
}

describe("get_current_status", () => {
  test("seed 004 MCP Tool Interface and Input/Output Models: the output schema has hasIssue and four optional texts, with their Japanese descriptions", () => {
    const described = Object.entries(getCurrentStatusOutputSchema.shape).map(([name, schema]) => [
      name,
      schema.description,
      schema.safeParse(undefined).success,
    ]);
    expect(described).toEqual([
      ["hasIssue", "課題が定義されているかどうか", false],
      ["issue", "課題のタイトル", true],
      ["context", "課題の背景情報", true],
      ["constraints", "制約条件", true],
      ["createdAt", "作成日時（ISO文字列）", true],
    ]);
  });

  test("seed 004 Schema-First Design and Input/Output Models: the types of parameters and response are derived from the schemas", () => {
    const params: GetCurrentStatusParams = {};
    const responses: readonly GetCurrentStatusResponse[] = [
      { hasIssue: false },
      { hasIssue: true, ...texts, createdAt: "2026-01-31T09:05:00.000Z" },
      // @ts-expect-error: hasIssue is not optional
      {},
      // @ts-expect-error: createdAt is a text
      { hasIssue: true, createdAt: new Date(0) },
    ];
    expect(getCurrentStatusSchema.safeParse(params).success).toBe(true);
    const passing = responses.map((one) => getCurrentStatusOutputSchema.safeParse(one).success);
    expect(passing).toEqual([true, true, false, false]);
  });

  test("seed 004 MCP Tool Interface, Input/Output Models, Error Categories and Schema Validation Tests: empty parameters work, and an undefined issue is no error", async () => {
    await using bench = await toolkitIn();
    const none = { status: "success", data: { hasIssue: false } };
    expect(await bench.invoke("get_current_status", {})).toEqual(none as never);
    expect(await bench.invoke("get_current_status")).toEqual(none as never);
    expect(await bench.toolkit.getCurrentStatus()).toEqual(none as never);
    expect(await readdir(bench.root)).toEqual([]);
  });

  test("seed 004 MCP Tool Interface and Schema Validation Tests: wrong parameters are refused with a fitting error (departs: the empty object is closed)", async () => {
    await using bench = await toolkitIn();
    const noObject = "The arguments must be a JSON object.";
    for (const [args, message, details] of [
      [{ issue: "x" }, '"issue" is no argument of this tool.', { argument: "issue" }],
      [null, noObject, {}],
      [[], noObject, {}],
      ["{}", noObject, {}],
      [7, noObject, {}],
    ] as const)
      expect(await bench.invoke("get_current_status", args)).toEqual({
        status: "failure",
        reason: "runtime",
        message,
        error: { code: "INVALID_ARGUMENT", message, retriable: false, details },
      });
  });

  test("seed 004 Error Categories: a file that cannot be read is FILE_SYSTEM_ERROR, a broken one CORRUPT_DATA", async () => {
    await using bench = await toolkitIn({ ".tazuna/issue.json": '{"issue":' });
    const message = ".tazuna/issue.json is not JSON";
    expect(await bench.toolkit.getCurrentStatus()).toEqual({
      status: "failure",
      reason: "runtime",
      message,
      error: { code: "CORRUPT_DATA", message, retriable: false, details: {} },
    });
    await using blocked = await toolkitIn({ ".tazuna/issue.json/x": "" });
    expect(await blocked.toolkit.getCurrentStatus()).toMatchObject({
      status: "failure",
      error: { code: "FILE_SYSTEM_ERROR", message: ".tazuna/issue.json is not a file", retriable: false },
    });
  });

  test("works if nothing may be written", async () => {
    await using bench = await toolkitIn({}, { writeScope: "read-only" });
    expect(await bench.toolkit.getCurrentStatus()).toMatchObject({ status: "success" });
    await using denied = await toolkitIn({}, { policy: {} });
    expect(await denied.toolkit.getCurrentStatus()).toMatchObject({ error: { code: "POLICY_DENIED" } });
  });
});

describe("define_issue", () => {
  test("seed 004 Overview, End-to-End Flow Tests and CQRS Pattern Compliance: what define_issue writes is what get_current_status reads, over real files (departs: one `.tazuna/issue.json` for each workspace)", async () => {
    await using bench = await toolkitIn();
    setSystemTime(new Date("2026-01-31T09:05:00.000Z"));
    const defined = await bench.toolkit.defineIssue({
      issue: "  課題\n",
      context: "背景\u3000",
      constraints: " 制約",
    });
    setSystemTime();
    const data = { ...texts, createdAt: "2026-01-31T09:05:00.000Z" };
    expect(defined).toEqual({ status: "success", data, meta: { earlier: 0 } });
    expect(await bench.toolkit.getCurrentStatus()).toEqual({
      status: "success",
      data: { hasIssue: true, ...data },
    });
    expect(JSON.parse(await readFile(file(bench.root), "utf8"))).toEqual({
      version: 1,
      ...data,
      history: [],
    });
    // Another process with another toolkit sees the same.
    expect(await toolkitWith(bench.root, {}).getCurrentStatus()).toMatchObject({ data });
  });

  test("defining again replaces the issue and keeps the earlier one", async () => {
    await using bench = await toolkitIn();
    const first = await bench.toolkit.defineIssue(texts);
    const second = await bench.toolkit.defineIssue({ ...texts, issue: "another" });
    expect(second).toMatchObject({ status: "success", data: { issue: "another" }, meta: { earlier: 1 } });
    const { history } = JSON.parse(await readFile(file(bench.root), "utf8"));
    expect(history).toEqual([first.status === "success" && first.data]);
  });

  test("every argument that is wrong is named in one answer, and nothing is written", async () => {
    await using bench = await toolkitIn();
    const message = [
      "issue: must have at most 200 characters, and has 201",
      "context: must not be blank",
      "constraints is required",
      '"title" is no argument of this tool.',
    ].join("; ");
    expect(
      await bench.invoke("define_issue", { issue: "i".repeat(201), context: " \n", title: "x" }),
    ).toEqual({
      status: "failure",
      reason: "runtime",
      message,
      error: { code: "INVALID_ARGUMENT", message, retriable: false, details: { argument: "issue" } },
    });
    for (const wrong of [null, 7, [], {}, true])
      expect(await bench.invoke("define_issue", { ...texts, context: wrong })).toMatchObject({
        error: { code: "INVALID_ARGUMENT", details: { argument: "context" } },
      });
    expect(await readdir(bench.root)).toEqual([]);
  });

  test("a read-only workspace and the policy are asked before anything is looked at", async () => {
    await using bench = await toolkitIn({}, { writeScope: "read-only" });
    expect(await bench.invoke("define_issue", 7)).toMatchObject({
      status: "denied",
      error: { code: "READ_ONLY" },
    });
    await using denied = await toolkitIn({}, { policy: {} });
    expect(await denied.invoke("define_issue", texts)).toMatchObject({
      status: "denied",
      error: { code: "POLICY_DENIED" },
    });
    expect(await readdir(bench.root)).toEqual([]);
  });

  test("a corrupt issue can be defined anew, and the answer says where the old file is", async () => {
    await using bench = await toolkitIn({ ".tazuna/issue.json": "half a fi" });
    const defined = await bench.toolkit.defineIssue(texts);
    if (defined.status !== "success") throw new Error(defined.message);
    const kept = String(defined.meta?.kept_aside);
    expect(kept).toMatch(/^\.tazuna\/issue\.json\.kept-[0-9a-f]{8}$/);
    expect(await readFile(join(bench.root, kept), "utf8")).toBe("half a fi");
    expect(await bench.toolkit.getCurrentStatus()).toMatchObject({ data: { hasIssue: true, ...texts } });
  });

  test("what the file system says comes back with its kind", async () => {
    await using bench = await toolkitIn({ ".tazuna": "mine" });
    expect(await bench.toolkit.defineIssue(texts)).toMatchObject({
      status: "failure",
      reason: "runtime",
      error: {
        code: "FILE_SYSTEM_ERROR",
        retriable: false,
        details: { type: "directory_create_failed" },
      },
    });
  });

  test("a canceled call writes nothing", async () => {
    await using bench = await toolkitIn();
    const called = bench.toolkit.defineIssue(texts, { signal: AbortSignal.abort() });
    expect(await called).toMatchObject({ error: { code: "CANCELED" } });
    expect(await bench.toolkit.getCurrentStatus()).toMatchObject({ data: { hasIssue: false } });
  });
});

describe("inside an attempt (TAZUNA_ISSUE_FILE)", () => {
  test("the issue is the task's own, whatever the worktree holds, and an empty variable is none", async () => {
    await using bench = await toolkitIn();
    await bench.toolkit.defineIssue(texts);
    await mkdir(join(bench.outside, "agent"));
    const handed = join(bench.outside, "agent", "issue.json");
    const toolkit = toolkitWith(bench.root, { TAZUNA_ISSUE_FILE: handed });
    expect(await toolkit.getCurrentStatus()).toEqual({ status: "success", data: { hasIssue: false } });
    const task = {
      issue: "the task's",
      context: "",
      constraints: "",
      createdAt: "2026-01-31T09:05:00.000Z",
    };
    await writeFile(handed, JSON.stringify({ version: 1, ...task }));
    expect(await toolkit.getCurrentStatus()).toEqual({
      status: "success",
      data: { hasIssue: true, ...task },
    });
    await writeFile(handed, "{");
    expect(await toolkit.getCurrentStatus()).toMatchObject({ error: { code: "CORRUPT_DATA" } });
    const empty = toolkitWith(bench.root, { TAZUNA_ISSUE_FILE: "" });
    expect(await empty.getCurrentStatus()).toMatchObject({ data: texts });
  });

  test("define_issue is denied as READ_ONLY with the reason, and writes nothing anywhere", async () => {
    await using bench = await toolkitIn();
    const handed = join(bench.outside, "issue.json");
    const toolkit = toolkitWith(bench.root, { TAZUNA_ISSUE_FILE: handed });
    const message =
      "The issue of this attempt is that of its task, which cannot be changed from inside; get_current_status reads it.";
    expect(await toolkit.defineIssue(texts)).toEqual({
      status: "denied",
      reason: "policy",
      message,
      error: { code: "READ_ONLY", message, retriable: false, details: {} },
    });
    expect([await readdir(bench.root), await readdir(bench.outside)]).toEqual([[], ["secret"]]);
  });
});
