import { describe, expect, test } from "bun:test";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { failure, success, type ToolRefusal } from "../../../src/tools/core/result.ts";
import { createSecureTool } from "../../../src/tools/core/secure-tool.ts";
import { tempDir } from "../../helpers/temp-dir.ts";
import { contextIn, type ProbeTool, probing } from "./probe-tool.ts";

/** `ws` with a folder and a file, and beside it `outside` with a file. */
async function scene() {
  const dir = await tempDir();
  const [root, outside] = [join(dir.path, "ws"), join(dir.path, "outside")];
  for (const folder of [root, outside, join(root, "src")]) await mkdir(folder);
  for (const file of [join(root, "file"), join(outside, "file")]) await writeFile(file, "");
  await symlink(outside, join(root, "link"));
  return { root, outside, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

const refused = (call: ReturnType<ReturnType<typeof createSecureTool>>) =>
  call.then((result) => (result.status === "success" ? "success" : result.error.code));

describe("the order of the checks (seed 001 §7)", () => {
  /** What can be wrong with one call, in the order in which it is to be found. */
  const FAULTS = [
    { name: "policy", code: "POLICY_DENIED" },
    { name: "write scope", code: "READ_ONLY" },
    { name: "arguments", code: "INVALID_ARGUMENT" },
    { name: "outside", code: "OUTSIDE_WORKSPACE" },
    { name: "no folder", code: "NOT_DIRECTORY" },
    { name: "the tool itself", code: "OWN_CODE" },
  ] as const;
  const combinations = Array.from({ length: 2 ** FAULTS.length }, (_, bits) =>
    FAULTS.filter((_, at) => (bits >> at) % 2 === 1),
  );

  for (const faults of combinations) {
    const names = faults.map(({ name }) => name);
    const code = faults[0]?.code ?? "success";
    test(`${names.join(" + ") || "nothing wrong"}: ${code}`, async () => {
      await using world = await scene();
      const has = (name: string) => names.some((one) => one === name);
      const { tool, calls } = probing(async () =>
        has("the tool itself") ? failure("OWN_CODE", "of its own") : success({ done: true }),
      );
      const context = contextIn(world.root, {
        writeScope: has("write scope") ? "read-only" : "workspace-write",
        policy: { defaultPolicy: has("policy") ? "deny" : "allow" },
      });
      const cwd = `${has("outside") ? "../outside" : "."}/${has("no folder") ? "file" : ""}`;
      const args = { cwd, ...(has("arguments") ? { nonsense: 1 } : {}) };
      expect(await refused(createSecureTool(tool, context)(args))).toBe(code);
      expect(calls.length).toBe(["success", "OWN_CODE"].includes(code) ? 1 : 0);
    });
  }
});

describe("the envelope", () => {
  test("of a success is status and data, and meta only if there is some", async () => {
    await using world = await scene();
    const context = contextIn(world.root);
    const plain = await createSecureTool(probing().tool, context)({});
    const more = probing(async () => success({ done: true }, { stopped: 1 })).tool;
    expect([plain, await createSecureTool(more, context)({})]).toEqual([
      { status: "success", data: { done: true } },
      { status: "success", data: { done: true }, meta: { stopped: 1 } },
    ]);
  });

  test("of each refusal of a check is whole: status, reason, message and error", async () => {
    await using world = await scene();
    const { tool } = probing();
    const open = createSecureTool(tool, contextIn(world.root));
    const denied = createSecureTool(tool, contextIn(world.root, { policy: {} }));
    const reading = createSecureTool(tool, contextIn(world.root, { writeScope: "read-only" }));
    const envelope = (
      [status, reason]: readonly [ToolRefusal["status"], ToolRefusal["reason"]],
      code: string,
      message: string,
      details: ToolRefusal["error"]["details"] = {},
    ): ToolRefusal => ({ status, reason, message, error: { code, message, retriable: false, details } });
    const policy = ["denied", "policy"] as const;
    const runtime = ["failure", "runtime"] as const;
    expect(await denied({})).toEqual(
      envelope(policy, "POLICY_DENIED", "probe is not allowed by the policy of this workspace."),
    );
    expect(await reading({})).toEqual(
      envelope(policy, "READ_ONLY", "probe could change the workspace, which is read-only here."),
    );
    expect(await open({ times: 4 })).toEqual(
      envelope(runtime, "INVALID_ARGUMENT", "times: too big: expected number to be <=3.", {
        argument: "times",
      }),
    );
    expect(await open({ cwd: "../outside" })).toEqual(
      envelope(["denied", "sandbox"], "OUTSIDE_WORKSPACE", `cwd: ../outside is outside of ${world.root}.`, {
        argument: "cwd",
      }),
    );
    expect(await open({ cwd: "file" })).toEqual(
      envelope(runtime, "NOT_DIRECTORY", "cwd: file is not a folder.", { argument: "cwd" }),
    );
  });

  test("of a tool's own refusal reaches the caller as it is", async () => {
    await using world = await scene();
    const own = {
      ...failure("SOME_CODE", "Some words.", { retriable: true, details: { a: [1] } }),
      status: "denied",
    } as const;
    const secure = createSecureTool(probing(async () => own).tool, contextIn(world.root));
    expect(await secure({})).toBe(own);
  });
});

describe("what a tool is handed", () => {
  test("its input with defaults filled in, where its paths really lie, the context and the caller's options", async () => {
    await using world = await scene();
    const { tool, calls } = probing();
    const context = contextIn(world.root);
    const { signal } = new AbortController();
    await createSecureTool(tool, context)({ cwd: "src/../src/" }, { signal });
    await createSecureTool(tool, context)();
    expect(calls.map(({ input }) => input)).toEqual([{ cwd: "src/../src/", times: 1 }, { times: 1 }]);
    expect(calls.map(({ call }) => call.paths)).toEqual([
      { cwd: join(world.root, "src") },
      { cwd: world.root },
    ]);
    expect(calls.every(({ call }) => call.context === context)).toBe(true);
    expect(calls.map(({ call }) => call.signal)).toEqual([signal, undefined]);
  });

  test("never a context or paths that the caller smuggles in with the options", async () => {
    await using world = await scene();
    const { tool, calls } = probing();
    const context = contextIn(world.root);
    const smuggled = { context: contextIn(world.outside), paths: { cwd: world.outside } };
    await createSecureTool(tool, context)({}, smuggled as object);
    expect(calls.map(({ call }) => [call.context === context, call.paths])).toEqual([
      [true, { cwd: world.root }],
    ]);
  });

  test("a copy: what the caller changes after the call began changes nothing", async () => {
    await using world = await scene();
    const { tool, calls } = probing();
    const args = { cwd: "src", times: 2 };
    const running = createSecureTool(tool, contextIn(world.root))(args);
    args.cwd = "../outside";
    await running;
    expect(calls[0]?.input).toEqual({ cwd: "src", times: 2 });
    expect(calls[0]?.call.paths).toEqual({ cwd: join(world.root, "src") });
  });
});

describe("what a tool throws", () => {
  const unspeakable = Object.create(null);
  const lying = Object.defineProperty(new Error("never read"), "message", {
    get: () => {
      throw new Error("no message for you");
    },
  });
  const THROWN: readonly (readonly [string, unknown, string])[] = [
    ["an error", new Error("boom"), "boom"],
    ["a text", "boom", "boom"],
    ["nothing", undefined, "undefined"],
    ["null", null, "null"],
    ["a symbol", Symbol("boom"), "Symbol(boom)"],
    ["an object that has no text", unspeakable, "something without words (object)"],
    ["an error whose message throws", lying, "something without words (object)"],
  ];
  for (const [name, thrown, words] of THROWN)
    for (const [how, run] of [
      [
        "throws",
        () => {
          throw thrown;
        },
      ],
      ["rejects with", () => Promise.reject(thrown)],
    ] as const)
      test(`is INTERNAL if it ${how} ${name}`, async () => {
        await using world = await scene();
        const secure = createSecureTool(probing(run as ProbeTool["run"]).tool, contextIn(world.root));
        const message = `Unexpected error: ${words}`;
        expect(await secure({})).toEqual({
          ...{ status: "failure", reason: "runtime", message },
          error: { code: "INTERNAL", message, retriable: true, details: {} },
        });
      });

  test("is INTERNAL also if looking at the arguments throws, and nothing was run", async () => {
    await using world = await scene();
    const { tool, calls } = probing();
    const secure = createSecureTool(tool, contextIn(world.root));
    const trap = () => {
      throw new Error("trapped");
    };
    const hostile = [
      new Proxy({}, { getPrototypeOf: trap }),
      new Proxy({}, { ownKeys: trap, get: trap, has: trap }),
      Object.defineProperty({}, "cwd", { enumerable: true, get: trap }),
    ];
    for (const args of hostile) expect(await refused(secure(args))).toBe("INTERNAL");
    expect(calls).toEqual([]);
  });
});

describe("read-only", () => {
  for (const [effect, code] of [
    ["reads", "success"],
    ["decides", "success"],
    ["writes", "READ_ONLY"],
    ["executes", "READ_ONLY"],
  ] as const)
    test(`a tool that ${effect} answers ${code}`, async () => {
      await using world = await scene();
      const context = contextIn(world.root, { writeScope: "read-only" });
      expect(await refused(createSecureTool({ ...probing().tool, effect }, context)({}))).toBe(code);
    });
});

describe("paths", () => {
  test("are judged by where they really lead, whatever their spelling", async () => {
    await using world = await scene();
    const secure = createSecureTool(probing().tool, contextIn(world.root));
    const at = async (cwd: string) => [cwd, await refused(secure({ cwd }))];
    const inside = [
      ".",
      "src",
      "src/",
      "./src",
      "src\\",
      ".\\src",
      "src/../src",
      world.root,
      join(world.root, "src"),
    ];
    const outside = [
      "..",
      "../outside",
      "src/../../outside",
      "link",
      "link/.",
      "/",
      "src\\..\\..\\outside",
      world.outside,
    ];
    const invalid = [
      "C:\\work",
      "c:work",
      "\\\\host\\share",
      "//host/share",
      "a\0b",
      " ",
      "a\nb",
      "x".repeat(5000),
    ];
    const missing = ["nope", "file", "src/nope", "file/x"];
    expect(await Promise.all([...inside, ...outside, ...invalid, ...missing].map(at))).toEqual([
      ...inside.map((cwd) => [cwd, "success"]),
      ...outside.map((cwd) => [cwd, "OUTSIDE_WORKSPACE"]),
      ...invalid.map((cwd) => [cwd, "INVALID_ARGUMENT"]),
      ...missing.map((cwd) => [cwd, "NOT_DIRECTORY"]),
    ]);
  });

  test("that must be relative are judged by their raw spelling", async () => {
    await using world = await scene();
    const rule = { argument: "cwd", must: "be-directory", absolute: "refused" } as const;
    const secure = createSecureTool({ ...probing().tool, paths: [rule] }, contextIn(world.root));
    for (const cwd of [world.root, "/", "\\", "C:\\work"])
      expect([cwd, await refused(secure({ cwd }))]).toEqual([cwd, "INVALID_ARGUMENT"]);
    expect(await refused(secure({ cwd: "src" }))).toBe("success");
  });

  test("that must exist, or may be made, are told apart", async () => {
    await using world = await scene();
    const secure = (must: "exist" | "stay-inside") => {
      const { tool, calls } = probing();
      const rule = { argument: "cwd", must, absolute: "inside" } as const;
      const call = createSecureTool({ ...tool, paths: [rule] }, contextIn(world.root));
      return { call, calls };
    };
    expect(await refused(secure("exist").call({ cwd: "file" }))).toBe("success");
    expect(await refused(secure("exist").call({ cwd: "new" }))).toBe("NOT_FOUND");
    const future = secure("stay-inside");
    expect(await refused(future.call({ cwd: "new/deep" }))).toBe("success");
    expect(future.calls[0]?.call.paths).toEqual({ cwd: join(world.root, "new/deep") });
    expect(await refused(secure("stay-inside").call({ cwd: "link/new" }))).toBe("OUTSIDE_WORKSPACE");
    expect(await refused(secure("stay-inside").call({ cwd: "../new" }))).toBe("OUTSIDE_WORKSPACE");
  });
});
