import { describe, expect, test } from "bun:test";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createToolContext } from "../../../src/lib.ts";
import { isAllowed } from "../../../src/tools/core/context.ts";
import { tempDir } from "../../helpers/temp-dir.ts";

const make = (options: unknown) => createToolContext(options as Parameters<typeof createToolContext>[0]);

describe("createToolContext", () => {
  test("denies everything, writes, and leaves git open, unless told", async () => {
    await using dir = await tempDir();
    const { host, shared, ...rest } = createToolContext({ workspaceRoot: dir.path });
    expect(rest).toEqual({
      ...{
        workspaceRoot: dir.path,
        writeScope: "workspace-write",
        git: "open",
        confirm: null,
        askPerson: null,
      },
      policy: { defaultPolicy: "deny", tools: {} },
      gitExtras: { hooks: "off", credentials: "off" },
      localRepositories: [],
    });
    expect(host.platform).toBe(process.platform);
  });

  test("takes the environment of the process at the time of each call, not its own", async () => {
    await using dir = await tempDir();
    const { host } = createToolContext({ workspaceRoot: dir.path });
    expect(host.environment()).toBe(process.env);
  });

  test("stands where the workspace really lies", async () => {
    await using dir = await tempDir();
    await mkdir(join(dir.path, "real"));
    await symlink("real", join(dir.path, "link"));
    const { workspaceRoot } = createToolContext({ workspaceRoot: join(dir.path, "link") });
    expect(workspaceRoot).toBe(join(dir.path, "real"));
  });

  test("keeps a policy of its own: what is changed afterwards in the one it was given changes nothing", async () => {
    await using dir = await tempDir();
    const policy: { defaultPolicy: "allow" | "deny"; tools: Record<string, "allow" | "deny"> } = {
      ...{ defaultPolicy: "deny", tools: { exec_command: "deny" } },
    };
    const context = createToolContext({ workspaceRoot: dir.path, policy });
    policy.defaultPolicy = "allow";
    policy.tools.exec_command = "allow";
    expect(isAllowed(context, "exec_command")).toBe(false);
  });

  describe("throws a TypeError that names the option", () => {
    const WRONG: readonly (readonly [unknown, string])[] = [
      [undefined, "options: Invalid input: expected object, received undefined"],
      [null, "options: Invalid input: expected object, received null"],
      ["/", "options: Invalid input: expected object, received string"],
      [{}, "options.workspaceRoot: Invalid input: expected string, received undefined"],
      [{ workspaceRoot: 7 }, "options.workspaceRoot: Invalid input: expected string, received number"],
      [{ workspaceRoot: "" }, "options.workspaceRoot: must be an absolute path"],
      [{ workspaceRoot: "." }, "options.workspaceRoot: must be an absolute path"],
      [{ workspaceRoot: "a/b" }, "options.workspaceRoot: must be an absolute path"],
      [
        { workspaceRoot: "/no/such/folder" },
        "options.workspaceRoot: is not an existing folder: /no/such/folder",
      ],
      [{ workspaceRoot: "/", writeScope: "unrestricted" }, "options.writeScope: Invalid option"],
      [{ workspaceRoot: "/", writeScope: null }, "options.writeScope: Invalid option"],
      [{ workspaceRoot: "/", git: "closed" }, "options.git: Invalid option"],
      [{ workspaceRoot: "/", git: true }, "options.git: Invalid option"],
      [{ workspaceRoot: "/", policy: "allow" }, "options.policy: Invalid input: expected object"],
      [{ workspaceRoot: "/", policy: null }, "options.policy: Invalid input: expected object"],
      [
        { workspaceRoot: "/", policy: { defaultPolicy: "ask" } },
        "options.policy.defaultPolicy: Invalid option",
      ],
      [{ workspaceRoot: "/", policy: { tools: ["exec_command"] } }, "options.policy.tools: Invalid input"],
      [
        { workspaceRoot: "/", policy: { tools: { tree: "yes" } } },
        "options.policy.tools.tree: Invalid option",
      ],
      [
        { workspaceRoot: "/", policy: { tools: { tree: true } } },
        "options.policy.tools.tree: Invalid option",
      ],
      [{ workspaceRoot: "/", policy: { default: "allow" } }, 'options.policy: Unrecognized key: "default"'],
      [{ workspaceRoot: "/", confirm: true }, "options.confirm: must be a function"],
      [
        { workspaceRoot: "/", write_scope: "read-only" },
        'options: Unrecognized key: "write_scope" (did you mean "writeScope"?)',
      ],
      [{ workspaceRoot: "/", polcy: {} }, 'options: Unrecognized key: "polcy" (did you mean "policy"?)'],
      [
        { workspaceRoot: "/", policy: { tool: { exec_command: "deny" } } },
        'options.policy: Unrecognized key: "tool" (did you mean "tools"?)',
      ],
      [
        { workspaceRoot: "/", gitExtras: { hook: "run" } },
        'options.gitExtras: Unrecognized key: "hook" (did you mean "hooks"?)',
      ],
      [
        { workspaceRoot: "/", policy: { defaultPolicy: "allow", tools: { exec_comand: "deny" } } },
        'options.policy: names a tool that does not exist: "exec_comand" (did you mean "exec_command"?)',
      ],
      [
        { workspaceRoot: "/", policy: { tools: { execCommand: "deny" } } },
        'names a tool that does not exist: "execCommand" (did you mean "exec_command"?)',
      ],
      [
        { workspaceRoot: "/", policy: { tools: { zzz: "deny" } } },
        'names a tool that does not exist: "zzz" (known are exec_command, git_status_summary,',
      ],
    ];
    for (const [options, message] of WRONG)
      test(`${JSON.stringify(options)}: ${message}`, () => {
        expect(() => make(options)).toThrow(TypeError);
        expect(() => make(options)).toThrow(message);
      });

    test("a workspace that is a file", async () => {
      await using dir = await tempDir();
      await writeFile(join(dir.path, "file"), "");
      expect(() => make({ workspaceRoot: join(dir.path, "file") })).toThrow(TypeError);
      expect(() => make({ workspaceRoot: join(dir.path, "file/x") })).toThrow(TypeError);
      expect(() => make({ workspaceRoot: `${dir.path}/a\0b` })).toThrow(TypeError);
    });

    test("a workspace that is a link to itself", async () => {
      await using dir = await tempDir();
      await symlink("loop", join(dir.path, "loop"));
      expect(() => make({ workspaceRoot: join(dir.path, "loop") })).toThrow(TypeError);
    });
  });
});

describe("the policy", () => {
  /** Whether a tool is allowed by `defaultPolicy` alone, and with entries of its own. */
  const decides = (policy: Parameters<typeof make>[0], name: string) =>
    isAllowed(make({ workspaceRoot: "/", policy }), name);

  test("of a tool goes before the default", () => {
    const table = [undefined, "allow", "deny"].flatMap((defaultPolicy) =>
      [undefined, "allow", "deny"].map((own) => [
        ...[defaultPolicy, own],
        decides(
          { ...(defaultPolicy && { defaultPolicy }), ...(own && { tools: { exec_command: own } }) },
          "exec_command",
        ),
      ]),
    );
    expect(table).toEqual([
      [undefined, undefined, false],
      [undefined, "allow", true],
      [undefined, "deny", false],
      ["allow", undefined, true],
      ["allow", "allow", true],
      ["allow", "deny", false],
      ["deny", undefined, false],
      ["deny", "allow", true],
      ["deny", "deny", false],
    ]);
  });

  for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", ""])
    test(`knows nothing of ${JSON.stringify(name)} that it was not told`, () => {
      expect([decides({}, name), decides({ defaultPolicy: "allow" }, name)]).toEqual([false, true]);
      if (name === "__proto__") return;
      const tools = Object.fromEntries([[name, "allow"]]);
      const context = make({ workspaceRoot: "/", policy: { tools }, ownTools: [name] });
      expect([isAllowed(context, name), isAllowed(context, "exec_command")]).toEqual([true, false]);
      expect(() => decides({ tools }, name)).toThrow("names a tool that does not exist");
    });

  test("is not what an object inherits", () => {
    const tools: unknown = Object.create({ exec_command: "allow" });
    expect(decides({ tools }, "exec_command")).toBe(false);
    expect(decides({ tools: JSON.parse('{"__proto__":{"exec_command":"allow"}}') }, "exec_command")).toBe(
      false,
    );
  });
});
