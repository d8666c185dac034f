import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { $ } from "bun";
import fc from "fast-check";
import { IssueDefinitionAggregate } from "../../src/domain/issue/issue-definition-aggregate.ts";
import {
  type IssuePlace,
  issueDefinitionExists,
  loadIssueDefinition,
  saveIssueDefinition,
} from "../../src/effect/issue-storage.ts";
import { tempDir } from "../helpers/temp-dir.ts";

// Real files and many runs, on a busy machine.
setDefaultTimeout(150_000);

const NOON = new Date("2026-01-31T12:00:00.000Z");

const issueOf = (issue: string, context = "background", constraints = "limits") =>
  IssueDefinitionAggregate.defineIssue({ issue, context, constraints }, { createdAt: NOON })._unsafeUnwrap();

const inWorkspace = (root: string): IssuePlace => ({ kind: "workspace", root });

/** What a load or a save says went wrong. */
const errorOf = async (
  result: ReturnType<typeof loadIssueDefinition> | ReturnType<typeof saveIssueDefinition>,
) => (await result)._unsafeUnwrapErr();

/** A workspace with `.tazuna/issue.json` as it is given. */
async function workspaceWith(content: string | Uint8Array | null) {
  const dir = await tempDir();
  const file = join(dir.path, ".tazuna", "issue.json");
  await mkdir(join(dir.path, ".tazuna"));
  if (content !== null) await writeFile(file, content);
  return { root: dir.path, file, [Symbol.asyncDispose]: dir[Symbol.asyncDispose] };
}

const GOOD = {
  version: 1,
  issue: "a",
  context: "b",
  constraints: "c",
  createdAt: NOON.toISOString(),
  history: [],
};

describe("issue-storage", () => {
  test("seed 004 Effect Layer Extensions: issueDefinitionExists answers whether an issue is there (departs: it is told the place)", async () => {
    await using dir = await tempDir();
    const place = inWorkspace(dir.path);
    expect(await issueDefinitionExists(place)).toBe(false);
    expect((await saveIssueDefinition(dir.path, issueOf("a"))).isOk()).toBe(true);
    expect(await issueDefinitionExists(place)).toBe(true);
    await writeFile(join(dir.path, ".tazuna", "issue.json"), "broken");
    expect(await issueDefinitionExists(place)).toBe(true);
  });

  test("seed 004 Effect Layer Extensions, End-to-End Flow Tests and MCP Framework Integration: loadIssueDefinition answers a Result: what was saved, or file_not_found (departs: it is told the place)", async () => {
    await using dir = await tempDir();
    const place = inWorkspace(dir.path);
    expect((await errorOf(loadIssueDefinition(place))).type).toBe("file_not_found");
    const saved = await saveIssueDefinition(dir.path, issueOf("課題", "背景", "制約"));
    expect(saved._unsafeUnwrap()).toEqual({ earlier: 0, keptAside: null });
    expect((await loadIssueDefinition(place))._unsafeUnwrap()).toEqual({
      issue: "課題",
      context: "背景",
      constraints: "制約",
      createdAt: NOON,
    });
  });

  test("defining again keeps the earlier ones as history, oldest first, and what a person has added to them", async () => {
    await using dir = await tempDir();
    await using noted = await workspaceWith(JSON.stringify({ ...GOOD, note: "mine" }));
    for (const root of [dir.path, noted.root]) {
      for (const issue of ["first", "second", "third"]) await saveIssueDefinition(root, issueOf(issue));
    }
    const entry = (issue: string) => ({
      issue,
      context: "background",
      constraints: "limits",
      createdAt: NOON.toISOString(),
    });
    const document = async (root: string) =>
      JSON.parse(await readFile(join(root, ".tazuna", "issue.json"), "utf8"));
    expect(await document(dir.path)).toEqual({
      version: 1,
      ...entry("third"),
      history: [entry("first"), entry("second")],
    });
    const { version: _, history: __, ...old } = GOOD;
    expect((await document(noted.root)).history).toEqual([
      { ...old, note: "mine" },
      entry("first"),
      entry("second"),
    ]);
  });

  test("what was saved comes back letter by letter, whatever it is", async () => {
    await using dir = await tempDir();
    const text = fc
      .string({
        unit: fc.oneof(
          fc.constant("\ud800"),
          fc.constantFrom("\0", "\u2028", '"', "\\"),
          fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
        ),
        minLength: 1,
        maxLength: 60,
      })
      .filter((one) => one.trim() !== "");
    const created = fc
      .record({
        issue: text,
        context: text,
        constraints: text,
        createdAt: fc.date({
          min: new Date(0),
          max: new Date("9999-12-31T23:59:59.999Z"),
          noInvalidDate: true,
        }),
      })
      .map(({ createdAt, ...texts }) =>
        IssueDefinitionAggregate.defineIssue(texts, { createdAt })._unsafeUnwrap(),
      );
    let earlier = 0;
    await fc.assert(
      fc.asyncProperty(created, async (definition) => {
        const saved = await saveIssueDefinition(dir.path, definition);
        expect(saved._unsafeUnwrap()).toEqual({ earlier, keptAside: null });
        earlier += 1;
        const loaded = await loadIssueDefinition(inWorkspace(dir.path));
        expect(loaded._unsafeUnwrap()).toEqual({ ...definition });
      }),
      { numRuns: 60 },
    );
  });

  test("the file is its owner's alone, and nothing else but the lock is left in the folder", async () => {
    await using dir = await tempDir();
    for (const issue of ["a", "b", "c"]) await saveIssueDefinition(dir.path, issueOf(issue));
    const folder = join(dir.path, ".tazuna");
    expect((await readdir(folder)).sort()).toEqual([".gitignore", "issue.json", "issue.json.lock"]);
    expect(await readdir(join(folder, "issue.json.lock"))).toEqual(["3.free"]);
    expect((await stat(join(folder, "issue.json"))).mode & 0o777).toBe(0o600);
  });

  test("what a killed writer has left is gone after the next one; others' files stay", async () => {
    await using workspace = await workspaceWith(null);
    const folder = join(workspace.root, ".tazuna");
    await writeFile(join(folder, ".issue.json.0123abcd-0123.tmp"), "half");
    await writeFile(join(folder, ".config.json.0123abcd-0123.tmp"), "someone is at work");
    await saveIssueDefinition(workspace.root, issueOf("a"));
    expect((await readdir(folder)).sort()).toEqual([
      ".config.json.0123abcd-0123.tmp",
      ".gitignore",
      "issue.json",
      "issue.json.lock",
    ]);
  });

  test("a call that was canceled writes nothing", async () => {
    await using dir = await tempDir();
    const saved = saveIssueDefinition(dir.path, issueOf("a"), { signal: AbortSignal.abort() });
    expect((await errorOf(saved)).type).toBe("canceled");
    expect(await issueDefinitionExists(inWorkspace(dir.path))).toBe(false);
  });
});

describe("an issue that an attempt was handed", () => {
  test("is read from its place; background and constraints may be empty, and longer than in a definition", async () => {
    await using dir = await tempDir();
    const file = join(dir.path, "issue.json");
    const place: IssuePlace = { kind: "handed", file };
    expect([await issueDefinitionExists(place), (await errorOf(loadIssueDefinition(place))).type]).toEqual([
      false,
      "file_not_found",
    ]);
    const { history: _, ...handed } = { ...GOOD, issue: "i".repeat(900), context: "", constraints: "" };
    await writeFile(file, JSON.stringify(handed));
    expect((await loadIssueDefinition(place))._unsafeUnwrap()).toEqual({
      issue: handed.issue,
      context: "",
      constraints: "",
      createdAt: NOON,
    });
  });

  test("must be named by an absolute path", async () => {
    expect(await errorOf(loadIssueDefinition({ kind: "handed", file: "issue.json" }))).toEqual({
      type: "unknown",
      message: "issue.json is no absolute path",
    });
  });
});

describe("data corruption", () => {
  const broken: Readonly<Record<string, string | Uint8Array>> = {
    "an empty file": "",
    "half a file": JSON.stringify(GOOD).slice(0, 40),
    "no JSON": "issue: a",
    null: "null",
    "an array": "[]",
    "a text": '"a"',
    "an empty object": "{}",
    "another version": JSON.stringify({ ...GOOD, version: 2 }),
    "no version": JSON.stringify({ ...GOOD, version: undefined }),
    "a number for a text": JSON.stringify({ ...GOOD, context: 7 }),
    "null for a text": JSON.stringify({ ...GOOD, constraints: null }),
    "a blank issue": JSON.stringify({ ...GOOD, issue: " " }),
    "no time": JSON.stringify({ ...GOOD, createdAt: undefined }),
    "a time that never was": JSON.stringify({ ...GOOD, createdAt: "2026-02-30T00:00:00.000Z" }),
    "a time in words": JSON.stringify({ ...GOOD, createdAt: "yesterday" }),
    "a broken history": JSON.stringify({ ...GOOD, history: [{}] }),
    "bytes that are no UTF-8": new Uint8Array([0x22, 0xff, 0xfe, 0x22]),
    "thousands of lists in each other": `{"x":${"[".repeat(5000)}${"]".repeat(5000)},${JSON.stringify(GOOD).slice(1)}`,
    "more than 16 MiB": new Uint8Array(16 * 1024 * 1024 + 1),
  };

  for (const [what, content] of Object.entries(broken))
    test(`seed 004 Error Categories and Error Scenario Tests: corrupt data is no error of the file system: ${what} (departs: defining anew keeps it)`, async () => {
      await using workspace = await workspaceWith(content);
      const { root, file } = workspace;
      const error = await errorOf(loadIssueDefinition(inWorkspace(root)));
      expect(error.type).toBe("corrupt");
      expect(error.message).toStartWith(".tazuna/issue.json ");
      const { earlier, keptAside } = (await saveIssueDefinition(root, issueOf("new")))._unsafeUnwrap();
      expect(earlier).toBe(0);
      const kept = await readFile(join(root, keptAside ?? "nothing was kept"));
      expect(kept.equals(Buffer.from(content as string))).toBe(true);
      expect(JSON.parse(await readFile(file, "utf8")).issue).toBe("new");
    });

  test("a byte order mark, as editors leave it, is no corruption", async () => {
    await using workspace = await workspaceWith(`\ufeff${JSON.stringify(GOOD)}`);
    expect((await loadIssueDefinition(inWorkspace(workspace.root))).isOk()).toBe(true);
  });

  test("each corrupt file is kept under a name of its own", async () => {
    await using workspace = await workspaceWith("first");
    await saveIssueDefinition(workspace.root, issueOf("a"));
    await writeFile(workspace.file, "second");
    await saveIssueDefinition(workspace.root, issueOf("b"));
    const folder = join(workspace.root, ".tazuna");
    const kept = (await readdir(folder)).filter((name) => name.startsWith("issue.json.kept-"));
    const texts = await Promise.all(kept.map((name) => readFile(join(folder, name), "utf8")));
    expect(texts.sort()).toEqual(["first", "second"]);
  });

  test("a history that has grown too long is kept beside a new one", async () => {
    const old = { ...GOOD, issue: "old", context: "c".repeat(4000) };
    const { version: _, history: __, ...entry } = old;
    const max = Math.floor((16 * 1024 * 1024 - 8192) / (JSON.stringify(entry).length + 1));
    const long = JSON.stringify({ ...old, history: Array(max).fill(entry) });
    await using workspace = await workspaceWith(long);
    const { earlier, keptAside } = (
      await saveIssueDefinition(workspace.root, issueOf("new"))
    )._unsafeUnwrap();
    expect(earlier).toBe(0);
    expect(await readFile(join(workspace.root, keptAside ?? ""), "utf8")).toBe(long);
    expect((await loadIssueDefinition(inWorkspace(workspace.root)))._unsafeUnwrap().issue).toBe("new");
  });
});

describe("git", () => {
  const status = async (root: string) => (await $`git -C ${root} status --porcelain -uall`.text()).trim();

  test("sees nothing of the issue, and sees configuration that is there to be committed", async () => {
    await using dir = await tempDir();
    await $`git init -q ${dir.path}`;
    await saveIssueDefinition(dir.path, issueOf("a"));
    await writeFile(join(dir.path, ".tazuna", "issue.json"), "broken");
    await saveIssueDefinition(dir.path, issueOf("b"));
    await writeFile(join(dir.path, ".tazuna", ".issue.json.0123abcd-0123.tmp"), "half");
    expect(await status(dir.path)).toBe("");
    await writeFile(join(dir.path, ".tazuna", "config.json"), "{}");
    expect(await status(dir.path)).toBe("?? .tazuna/config.json");
  });

  test("an ignore file that is there keeps its lines and gets those it lacks, once", async () => {
    await using dir = await tempDir();
    await $`git init -q ${dir.path}`;
    const ignore = join(dir.path, ".tazuna", ".gitignore");
    await mkdir(join(dir.path, ".tazuna"));
    await writeFile(ignore, "config.local.json\n!keep me");
    for (const issue of ["a", "b"]) await saveIssueDefinition(dir.path, issueOf(issue));
    expect(await readFile(ignore, "utf8")).toBe(
      "config.local.json\n!keep me\n# Tazuna's own files; what else is in this folder may be committed.\n/issue.json*\n/.*.tmp\n",
    );
    expect(await status(dir.path)).toBe("?? .tazuna/.gitignore");
  });

  test("an ignore file that has decided is left as it is: all ignored, or the issue to be committed", async () => {
    for (const [lines, seen] of [
      ["*\n", ""],
      ["/*\r\n!config.json\r\n", ""],
      ["!/issue.json*\n/.*.tmp\n/issue.json.lock/\n/.gitignore\n", "?? .tazuna/issue.json"],
    ] as const) {
      await using dir = await tempDir();
      await $`git init -q ${dir.path}`;
      const ignore = join(dir.path, ".tazuna", ".gitignore");
      await mkdir(join(dir.path, ".tazuna"));
      await writeFile(ignore, lines);
      await saveIssueDefinition(dir.path, issueOf("a"));
      expect([await readFile(ignore, "utf8"), await status(dir.path)]).toEqual([lines, seen]);
    }
  });

  test("brackets in a text are no lists in each other", async () => {
    await using dir = await tempDir();
    const text = `${"[{".repeat(90)}\\"${"[{".repeat(90)}`;
    expect((await saveIssueDefinition(dir.path, issueOf("a", text)))._unsafeUnwrap().keptAside).toBeNull();
    expect((await loadIssueDefinition(inWorkspace(dir.path)))._unsafeUnwrap().context).toBe(text);
  });

  test("an ignore file that is longer than any list is left alone, and not read", async () => {
    await using dir = await tempDir();
    const ignore = join(dir.path, ".tazuna", ".gitignore");
    await mkdir(join(dir.path, ".tazuna"));
    await writeFile(ignore, "");
    await truncate(ignore, 3 * 1024 ** 3);
    expect((await saveIssueDefinition(dir.path, issueOf("a"))).isOk()).toBe(true);
    expect((await stat(ignore)).size).toBe(3 * 1024 ** 3);
  });

  test("an ignore file that is no plain file is left alone", async () => {
    await using dir = await tempDir();
    await writeFile(join(dir.path, "target"), "mine\n");
    await mkdir(join(dir.path, ".tazuna"));
    await symlink("../target", join(dir.path, ".tazuna", ".gitignore"));
    expect((await saveIssueDefinition(dir.path, issueOf("a"))).isOk()).toBe(true);
    expect(await readFile(join(dir.path, "target"), "utf8")).toBe("mine\n");
  });
});

describe("what stands in the way", () => {
  const both = async (root: string) => [
    (await errorOf(loadIssueDefinition(inWorkspace(root)))).type,
    (await errorOf(saveIssueDefinition(root, issueOf("a")))).type,
  ];

  test("a folder that is a link out of the workspace is refused, and nothing is read or made there", async () => {
    await using outside = await workspaceWith(JSON.stringify(GOOD));
    await using dir = await tempDir();
    await symlink(join(outside.root, ".tazuna"), join(dir.path, ".tazuna"));
    expect(await both(dir.path)).toEqual(["outside_workspace", "outside_workspace"]);
    expect(await readdir(join(outside.root, ".tazuna"))).toEqual(["issue.json"]);
    await rm(join(dir.path, ".tazuna"));
    await symlink(join(outside.root, "new"), join(dir.path, ".tazuna"));
    expect(await both(dir.path)).toEqual(["outside_workspace", "outside_workspace"]);
    expect(await readdir(outside.root)).toEqual([".tazuna"]);
  });

  test("a folder that is a link within the workspace is followed", async () => {
    await using dir = await tempDir();
    await mkdir(join(dir.path, "settings"));
    await symlink("settings", join(dir.path, ".tazuna"));
    expect((await saveIssueDefinition(dir.path, issueOf("a"))).isOk()).toBe(true);
    expect((await loadIssueDefinition(inWorkspace(dir.path)))._unsafeUnwrap().issue).toBe("a");
    expect(await readdir(join(dir.path, "settings"))).toContain("issue.json");
  });

  test("a file that is a link is refused, wherever it leads, and stays as it is", async () => {
    await using dir = await tempDir();
    await mkdir(join(dir.path, ".tazuna"));
    await writeFile(join(dir.path, "other.json"), JSON.stringify(GOOD));
    for (const target of ["../other.json", "/etc/hostname", "nowhere", "issue.json"]) {
      const file = join(dir.path, ".tazuna", "issue.json");
      await symlink(target, file);
      expect(await both(dir.path)).toEqual(["not_a_file", "not_a_file"]);
      await rm(file);
    }
    expect(await readFile(join(dir.path, "other.json"), "utf8")).toBe(JSON.stringify(GOOD));
  });

  test("a folder or a pipe in the file's place is refused at once, and stays", async () => {
    await using dir = await tempDir();
    const file = join(dir.path, ".tazuna", "issue.json");
    await mkdir(file, { recursive: true });
    expect(await both(dir.path)).toEqual(["not_a_file", "not_a_file"]);
    await rm(file, { recursive: true });
    await $`mkfifo ${file}`;
    expect(await both(dir.path)).toEqual(["not_a_file", "not_a_file"]);
    expect((await stat(file)).isFIFO()).toBe(true);
  });

  test("a file in place of the folder is an error, not an issue that is undefined", async () => {
    await using dir = await tempDir();
    await writeFile(join(dir.path, ".tazuna"), "mine");
    expect(await both(dir.path)).toEqual(["unknown", "directory_create_failed"]);
    expect(await issueDefinitionExists(inWorkspace(dir.path))).toBe(true);
    expect(await readFile(join(dir.path, ".tazuna"), "utf8")).toBe("mine");
  });

  test("a folder that leads to itself is refused", async () => {
    await using dir = await tempDir();
    await symlink(".tazuna", join(dir.path, ".tazuna"));
    expect(await both(dir.path)).toEqual(["outside_workspace", "outside_workspace"]);
  });

  test("a lock that is a link out of the workspace is refused, and nothing is made or removed there", async () => {
    await using outside = await tempDir();
    await writeFile(join(outside.path, "1.free"), "mine");
    await using workspace = await workspaceWith(JSON.stringify(GOOD));
    await symlink(outside.path, `${workspace.file}.lock`);
    expect((await errorOf(saveIssueDefinition(workspace.root, issueOf("b")))).type).toBe("file_write_failed");
    expect(await readdir(outside.path)).toEqual(["1.free"]);
  });

  test("a workspace that is gone is an error, not one in which nothing is defined", async () => {
    await using dir = await tempDir();
    expect(await both(join(dir.path, "gone"))).toEqual(["unknown", "unknown"]);
  });

  test("a file in the place of the lock is an error", async () => {
    await using workspace = await workspaceWith(JSON.stringify(GOOD));
    await writeFile(`${workspace.file}.lock`, "");
    expect((await errorOf(saveIssueDefinition(workspace.root, issueOf("b")))).type).toBe("file_write_failed");
    expect(await readFile(workspace.file, "utf8")).toBe(JSON.stringify(GOOD));
  });
});
