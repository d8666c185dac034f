import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  addressFindings,
  type FileSetting,
  saysAddresses,
} from "../../../src/domain/publish/address-rules.ts";
import { conflictsOf, newConflicts } from "../../../src/domain/publish/conflict-markers.ts";
import { linksOutside } from "../../../src/domain/publish/links.ts";
import { findingsOfPath } from "../../../src/domain/publish/path-rules.ts";
import { piecesOf } from "../../../src/domain/publish/pieces.ts";
import { cpuTime } from "../../helpers/cpu-time.ts";

const CONFLICT = "a\n<<<<<<< HEAD\nours\n||||||| base\nold\n=======\ntheirs\n>>>>>>> branch\nb\n";
const lines = (text: string, ...older: string[]) =>
  newConflicts(conflictsOf(text), older.map(conflictsOf)).map(({ line }) => line);

describe("conflict markers", () => {
  test("are found in their order, with either line end, with and without the base", () => {
    expect(lines(CONFLICT)).toEqual([2]);
    expect(lines(CONFLICT.replaceAll("\n", "\r\n"))).toEqual([2]);
    expect(lines(CONFLICT.replace("||||||| base\nold\n", ""))).toEqual([2]);
    expect(lines(CONFLICT + CONFLICT)).toEqual([2, 11]);
  });

  test.each([
    ["a heading of Markdown", "Title\n=======\n\ntext\n"],
    ["a heading of reStructuredText", "=======\nTitle\n=======\n"],
    ["markers that are indented", CONFLICT.replace(/^/gm, "    ")],
    ["arrows and quotes", ">>>>>>> quoted\n=======\n<<<<<<< also\n"],
    ["longer rulers", "<<<<<<<<<<\n==========\n>>>>>>>>>>\n"],
  ])("are not: %s", (_, text) => {
    expect(lines(text)).toEqual([]);
  });

  test("that stood there before are not new; one more of the same is", () => {
    expect(lines(`first\n${CONFLICT}`, CONFLICT)).toEqual([]);
    expect(lines(CONFLICT.replace("ours", "other"), CONFLICT)).toEqual([]);
    expect(lines(CONFLICT + CONFLICT, CONFLICT)).toEqual([11]);
  });
});

describe("links that lead out of the tree", () => {
  const outside = (links: Record<string, string>) => linksOutside(new Map(Object.entries(links)));

  test.each([
    ["an absolute one", { a: "/etc/passwd" }],
    ["one of another system", { a: "C:\\Users" }],
    ["one with too many steps up", { "x/y/a": "../../../b" }],
    ["one that goes down before it goes up", { "x/a": "y/../../../b" }],
    ["one that ends above", { a: ".." }],
  ])("%s", (_, links) => {
    expect(outside(links)).toEqual(Object.keys(links));
  });

  test("one that does so through another one", () => {
    expect(outside({ "x/up": "deep/er", "x/deep/er": "../../y", a: "x/up/../../b" })).toEqual(["a"]);
    expect(outside({ here: ".", a: "here/../b" })).toEqual(["a"]);
  });

  test("not: those that stay inside, also in a circle", () => {
    expect(
      outside({ a: "b", b: "a", "x/c": "../d", "x/y/e": "../../f", self: "self/x", "x/name..": "..." }),
    ).toEqual([]);
  });

  test("thousands of links, each through forty others, are judged within seconds; what is not known counts as outside", () => {
    const long = (last: string) => `${"a/".repeat(2040)}${"../".repeat(2040)}${last}`;
    const chain = Array.from({ length: 40 }, (_, at) => [`link${at}`, long(`link${at + 1}`)] as const);
    const many = Array.from({ length: 5000 }, (_, at) => [`x${at}`, "link0"] as const);
    const began = cpuTime();
    const found = outside(Object.fromEntries([...many, ...chain]));
    expect(cpuTime() - began).toBeLessThan(10_000);
    expect(found).toContain("x4999");
    expect(found).not.toContain("x0");
  });

  test("any links are judged, and none that only goes down is outside", () => {
    const name = fc.constantFrom("a", "b", "c");
    const down = fc.array(name, { minLength: 1, maxLength: 4 }).map((all) => all.join("/"));
    fc.assert(
      fc.property(fc.dictionary(down, down), (links) => {
        expect(outside(links)).toEqual([]);
      }),
    );
  });
});

describe("the name of a path", () => {
  const rulesOf = (path: string) =>
    findingsOfPath(path, (denied) => /(?:^|\/)\.env$|\.pem$/.test(denied)).map(({ rule }) => rule);

  test.each([".GIT/config", "x/.Git", ".g\u200cit/hooks/x", "git~1/x", ".git./x", "\u202e.git/x", "．git/x"])(
    "%j is `.git` in disguise",
    (path) => {
      expect(rulesOf(path)).toContain("disguised_path");
      expect(findingsOfPath(path, () => false)[0]).toMatchObject({ level: "reject", final: true });
    },
  );

  test.each([".ENV", "x/.e\u200bnv", "server.PEM", ".env "])("%j is a denied one in disguise", (path) => {
    expect(rulesOf(path)).toContain("disguised_path");
  });

  test.each([
    ".gitignore",
    ".gitattributes",
    "git",
    "a.git",
    "README.md",
    ".env",
    "Ünïcode/Ｆ.ts",
    "x/git~2",
  ])("%j is what it says", (path) => {
    expect(rulesOf(path)).toEqual([]);
  });

  test.each(["a\nb", "a\u001b[31m", "\u202egnp.exe", "zero\u200bwidth"])(
    "%j has what cannot be seen",
    (path) => {
      expect(rulesOf(path)).toEqual(["control_character"]);
    },
  );

  test.each([
    ".claude/settings.json",
    "x/.codex/config.toml",
    ".gemini/a",
    ".opencode/b",
    ".mcp.json",
    ".cursor/r",
    ".CLAUDE/settings.json",
    ".claude /settings.json",
  ])("%s is agent configuration", (path) => {
    expect(rulesOf(path)).toEqual(["agent_configuration"]);
  });

  test.each([
    ".github/workflows/ci.yml",
    ".gitlab-ci.yml",
    ".circleci/config.yml",
    "Jenkinsfile",
    "azure-pipelines.yml",
    ".GITHUB/Workflows/ci.yml",
    ".github./workflows/ci.yml",
  ])("%s is a workflow", (path) => {
    expect(rulesOf(path)).toEqual(["workflow_file"]);
  });

  test.each([
    "AGENTS.md",
    "CLAUDE.md",
    "docs/.github.md",
    "src/github/workflows/a.ts",
    "x/Jenkinsfile",
    ".github/CODEOWNERS",
  ])("%s is neither", (path) => {
    expect(rulesOf(path)).toEqual([]);
  });
});

test("pieces of a text are the text, and whatever is no longer than the overlap lies whole in one", () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 300 }),
      fc.integer({ min: 2, max: 50 }),
      fc.nat(300),
      (text, length, at) => {
        const overlap = Math.floor(length / 2);
        const pieces = [...piecesOf(text, { length, overlap })];
        for (const piece of pieces) expect(text.slice(piece.at, piece.at + length)).toBe(piece.text);
        const short = text.slice(at, at + overlap);
        expect(pieces.some((piece) => piece.text.includes(short))).toBe(true);
        expect((pieces.at(-1)?.at ?? 0) + (pieces.at(-1)?.text.length ?? 0)).toBe(text.length);
      },
    ),
  );
});

describe("files that say addresses", () => {
  const URL = { key: "submodule.x.url", value: "https://example.com/x" };
  const rulesOf = (path: string, now: readonly FileSetting[], older: readonly FileSetting[] = []) =>
    addressFindings(path, { now, older }).map(({ rule }): string => rule);

  test.each([
    [".gitmodules", URL, "submodule_address"],
    [".gitmodules", { key: "submodule.x.update", value: "!rm -rf /" }, "submodule_command"],
    [".lfsconfig", { key: "lfs.url", value: "https://evil.example" }, "lfs_address"],
    [".lfsconfig", { key: "lfs.pushurl", value: "https://evil.example" }, "lfs_address"],
    [".lfsconfig", { key: "remote.origin.lfsurl", value: "https://evil.example" }, "lfs_address"],
    [".LFSCONFIG", { key: "lfs.https://a.example/.access", value: "basic" }, "lfs_address"],
  ])("%s: %j is a finding, unless it stood there before", (path, setting, rule) => {
    expect(rulesOf(path, [setting])).toEqual([rule]);
    expect(rulesOf(path, [setting], [setting])).toEqual([]);
    expect(rulesOf(path, [{ ...setting, value: `${setting.value}/other` }], [setting])).toEqual([rule]);
  });

  test("what leads nowhere is none", () => {
    expect(rulesOf(".gitmodules", [{ key: "submodule.x.path", value: "x" }])).toEqual([]);
    expect(rulesOf(".gitmodules", [{ key: "submodule.x.update", value: "merge" }])).toEqual([]);
    expect(rulesOf(".lfsconfig", [{ key: "lfs.fetchexclude", value: "*" }])).toEqual([]);
    expect(["a/.gitmodules", "gitmodules", ".gitmodules.txt"].filter(saysAddresses)).toEqual([]);
  });
});
