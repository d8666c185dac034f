import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { createAgentToolkit } from "../../../../src/lib.ts";
import { contextOn } from "../../../../src/tools/core/context.ts";
import type { CodebaseSearchOutput } from "../../../../src/tools/search/codebase_search/contract.ts";
import { deep } from "../../../helpers/tier.ts";
import { waitFor } from "../../../helpers/wait-for.ts";
import { swapForLink } from "../../swapping-racer.ts";
import { type Bench, codeOf, toolkitIn } from "../../toolkit-in.ts";
import { randomBytes, randomQuery } from "./random-search.ts";

const RIPGREP = Bun.which("rg");
const ENGINES = [
  { engine: "built-in", PATH: "/nowhere" },
  ...(RIPGREP === null ? [] : [{ engine: "ripgrep", PATH: join(RIPGREP, "..") }]),
];
const without = RIPGREP === null ? " (skipped: rg is not installed)" : "";

async function search(bench: Bench, args: object, PATH = "/nowhere", signal?: AbortSignal) {
  const host = { platform: process.platform, environment: () => ({ PATH }) };
  const toolkit = createAgentToolkit(
    contextOn(host, { workspaceRoot: bench.root, policy: { defaultPolicy: "allow" } }),
  );
  const result = await toolkit.invoke("codebase_search", args, signal === undefined ? {} : { signal });
  if (result.status !== "success") throw new Error(`${result.error.code}: ${result.message}`);
  return {
    data: result.data as CodebaseSearchOutput,
    engine: result.meta?.engine,
    skipped: result.meta?.skipped,
  };
}

const places = (data: CodebaseSearchOutput) =>
  data.matches.map(({ path, line, column }) => `${path}:${line}:${column}`);

for (const { engine, PATH } of ENGINES)
  describe(`codebase_search by ${engine}`, () => {
    test("seed 001 §9: codebase_search answers alike by ripgrep and by our engine: definitions first, then words, then parts", async () => {
      await using bench = await toolkitIn({
        "a.ts": "use(load);\nreload();\nconst x = load();\n",
        "b.ts": "x\nexport async function load(path) {}\n",
        "load.ts": "load();\nupload();\n",
        "c.go": "func (s *Store) load() {}\n",
        "d.txt": "LOAD\n",
      });
      const found = await search(bench, { query: "load", case: "sensitive" }, PATH);
      expect(found.engine).toBe(engine);
      expect(places(found.data)).toEqual([
        "b.ts:2:23",
        "c.go:1:17",
        "load.ts:1:1",
        "a.ts:1:5",
        "a.ts:3:11",
        "load.ts:2:3",
        "a.ts:2:3",
      ]);
      expect(found.data).toMatchObject({
        total_matches: 7,
        matched_files: 4,
        truncated: false,
        timed_out: false,
      });
      expect(found.data.matches[0]).toEqual({
        path: "b.ts",
        line: 2,
        column: 23,
        kind: "definition",
        text: "export async function load(path) {}",
        before: [],
        after: [],
      });
    });

    test("skips what git ignores, what is git's, binary files and links, and searches hidden files", async () => {
      await using bench = await toolkitIn({
        ".git/config": "needle\n",
        ".git/info/exclude": "local.txt\n",
        "sub/.git": "needle\n",
        ".gitignore": "*.log\n/out/\n",
        "a.log": "needle\n",
        "out/x": "needle\n",
        "sub/.gitignore": "!b.log\nskipped/\n",
        "sub/b.log": "needle\n",
        "sub/skipped/y": "needle\n",
        "local.txt": "needle\n",
        ".github/ci.yml": "needle\n",
        binary: "needle\0needle\n",
        ".ignore": "sub\n",
      });
      symlinkSync(bench.outside, join(bench.root, "link"));
      writeFileSync(join(bench.outside, "secret"), "needle\n");
      const found = await search(bench, { query: "needle" }, PATH);
      expect(places(found.data)).toEqual([".github/ci.yml:1:1", "sub/b.log:1:1"]);
      expect(found.skipped).toEqual({ binary: 1, unreadable: 0, long: 0 });
      expect(places((await search(bench, { query: "needle", path: "sub" }, PATH)).data)).toEqual([
        "sub/b.log:1:1",
      ]);
      expect(places((await search(bench, { query: "needle", path: "out" }, PATH)).data)).toEqual([
        "out/x:1:1",
      ]);
      expect(places((await search(bench, { query: "needle", path: "a.log" }, PATH)).data)).toEqual([
        "a.log:1:1",
      ]);
    });

    test("narrows by a glob, with braces and a negation", async () => {
      await using bench = await toolkitIn({
        "a.ts": "x",
        "b.tsx": "x",
        "src/c.py": "x",
        "src/d/e.py": "x",
        "d.test.ts": "x",
      });
      const by = async (glob: string) =>
        places((await search(bench, { query: "x", glob }, PATH)).data)
          .map((place) => place.split(":")[0])
          .sort();
      expect(await by("*.{ts,tsx}")).toEqual(["a.ts", "b.tsx", "d.test.ts"]);
      expect(await by("src/**/*.py")).toEqual(["src/c.py", "src/d/e.py"]);
      expect(await by("src/*.py")).toEqual(["src/c.py"]);
      expect(await by("!*.test.ts")).toEqual(["a.ts", "b.tsx", "src/c.py", "src/d/e.py"]);
      expect(await by("#x")).toEqual([]);
    });

    test("shows the lines around a match, CRLF taken off", async () => {
      await using bench = await toolkitIn({ a: "1\r\n2\r\nhit\r\n4\r\nhit\r\n" });
      const { data } = await search(bench, { query: "hit", context_lines: 2 }, PATH);
      expect(data.matches.map(({ before, text, after }) => [before, text, after])).toEqual([
        [["1", "2"], "hit", ["4", "hit"]],
        [["hit", "4"], "hit", []],
      ]);
    });

    test("is case-sensitive as asked", async () => {
      await using bench = await toolkitIn({ a: "Load\nload\n\u00c4\n\u00e4\n" });
      const lines = async (args: object) =>
        (await search(bench, args, PATH)).data.matches.map(({ line }) => line).sort();
      expect(await lines({ query: "load" })).toEqual([1, 2]);
      expect(await lines({ query: "Load" })).toEqual([1]);
      expect(await lines({ query: "load", case: "sensitive" })).toEqual([2]);
      expect(await lines({ query: "LOAD", case: "insensitive" })).toEqual([1, 2]);
      expect(await lines({ query: "\u00e4" })).toEqual([3, 4]);
      expect(await lines({ query: "\\Soad$", regex: true })).toEqual([1, 2]);
      expect(await lines({ query: "(?<Word>load)", regex: true })).toEqual([1, 2]);
      expect(await lines({ query: "l\\pLad", regex: true })).toEqual([1, 2]);
      expect(await lines({ query: "\u00c4|LO", regex: true, case: "insensitive" })).toEqual([1, 2, 3, 4]);
    });

    test("returns no more than asked for, and counts the rest", async () => {
      await using bench = await toolkitIn({ a: "x\n".repeat(5000), b: "let x\n" });
      const { data } = await search(bench, { query: "x", max_results: 2 }, PATH);
      expect(places(data)).toEqual(["b:1:5", "a:1:1"]);
      expect(data).toMatchObject({ total_matches: 5001, matched_files: 2, truncated: true });
    });

    test("cuts long lines around the match, and never within a character", async () => {
      await using bench = await toolkitIn({
        a: `${"\u{1f600}".repeat(2000)}needle${"\u{1f600}".repeat(9000)}needle\n`,
      });
      const { data, skipped } = await search(bench, { query: "needle" }, PATH);
      const [match] = data.matches;
      expect(match?.column).toBe(4001);
      expect(match?.text).toContain("needle");
      expect([match?.text.isWellFormed(), (match?.text.length ?? 0) <= 400]).toEqual([true, true]);
      expect(skipped).toMatchObject({ long: 1 });
    });

    test("reads ignore lists as git does, above the folder that is searched too, and no list of another program", async () => {
      await using bench = await toolkitIn({
        ".gitignore": "*.log\n*.{o,tmp}\n",
        ".rgignore": "*\n",
        "x.tmp": "needle\n",
        "sub/.gitignore": "!b.log\n",
        "sub/deep/b.log": "needle\n",
        "sub/deep/c.log": "needle\n",
      });
      expect(places((await search(bench, { query: "needle" }, PATH)).data)).toEqual([
        "sub/deep/b.log:1:1",
        "x.tmp:1:1",
      ]);
      const deep = await search(bench, { query: "needle", path: "sub/deep" }, PATH);
      expect(places(deep.data)).toEqual(["sub/deep/b.log:1:1"]);
    });

    test.skipIf(process.platform === "win32")("names with backslashes stay what they are", async () => {
      await using bench = await toolkitIn({ "a\\b": "needle\n", "a/b": "needle\n" });
      const { data } = await search(bench, { query: "needle" }, PATH);
      expect([places(data), data.matched_files]).toEqual([["a/b:1:1", "a\\b:1:1"], 2]);
    });

    test("what is UTF-16 is binary, and lines end where they end", async () => {
      await using bench = await toolkitIn({
        le: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("needle\n")]),
        crlf: "needle\r\n\r\n",
      });
      expect(places((await search(bench, { query: "needle" }, PATH)).data)).toEqual(["crlf:1:1"]);
      for (const [query, at] of [
        ["needle$\\b", "crlf:1:1"],
        ["$^", "crlf:2:1"],
      ])
        expect(places((await search(bench, { query, regex: true }, PATH)).data)).toEqual([at ?? ""]);
    });

    test("a glob holds for a file that is asked for by name, and no glob takes long", async () => {
      const deep = `${"a/".repeat(60)}c`;
      await using bench = await toolkitIn({ "a.ts": "x\n", [deep]: "x\n" });
      const by = async (glob: string, path = ".") =>
        (await search(bench, { query: "x", glob, path }, PATH)).data.total_matches;
      expect([await by("*.ts", "a.ts"), await by("*.py", "a.ts")]).toEqual([1, 0]);
      const began = performance.now();
      expect(await by(`${"**/a/".repeat(60)}b`)).toBe(0);
      expect(performance.now() - began).toBeLessThan(5000);
    });

    test("a query is never an option, and nothing is expanded", async () => {
      await using bench = await toolkitIn({ a: "--files\n$(x)\n-e\n[\n" });
      for (const query of ["--files", "-e", "$(x)", "["])
        expect([query, (await search(bench, { query }, PATH)).data.total_matches]).toEqual([query, 1]);
    });

    test("an expression with more states than can be kept does not block other calls for long", async () => {
      const line = () => Array.from({ length: 9000 }, (_, at) => ((at * at) % 7 < 3 ? "a" : "b")).join("");
      await using bench = await toolkitIn({ a: `${line()}\n${line()}c\n` });
      let [last, longest] = [performance.now(), 0];
      const beat = setInterval(() => {
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }, 1);
      const { data } = await search(bench, { query: "(a|b)*a(a|b){200}c", regex: true }, PATH);
      clearInterval(beat);
      expect(data.total_matches).toBe(1);
      expect(Math.max(longest, performance.now() - last)).toBeLessThan(5000);
    }, 30_000);

    test("an expression that never ends in other engines takes no time", async () => {
      await using bench = await toolkitIn({ a: `${"a".repeat(9000)}!\n${"ab".repeat(4000)}\n` });
      const began = performance.now();
      for (const query of ["(a+)+$", "(a|aa)+$", "(a*)*b!", "^(([a-z])+.)+[A-Z]([a-z])+$", "(.*)*x(.*)*y"])
        await search(bench, { query, regex: true }, PATH);
      expect(performance.now() - began).toBeLessThan(10_000);
    }, 30_000);
  });

describe("codebase_search", () => {
  const word = fc.constantFrom(
    "foo",
    "Foo",
    "bar",
    "x_y",
    "\u00e9",
    "\u{1f600}",
    "1",
    "(",
    ".",
    " ",
    "\t",
    "\r",
    "foo bar",
    "const foo",
    "\ufeff",
  );
  const content = fc
    .array(
      fc.array(word, { maxLength: 6 }).map((words) => words.join("")),
      { maxLength: 8 },
    )
    .map((lines) => lines.join("\n"));
  const path = fc.constantFrom(
    "a.ts",
    "b/foo.ts",
    "b/c/d.py",
    ".hid/e",
    "b/ignored.log",
    "z/keep.log",
    "\u00e9/f",
    "gen/x",
  );
  const query = fc.oneof(
    fc.record({ query: fc.constantFrom("foo", "FOO", "o b", "(", ".", "\u00e9", "\u{1f600}", " ", "x_") }),
    fc.record({
      query: fc.constantFrom(
        "fo+",
        "^foo",
        "o$",
        "\\bfoo\\b",
        "f.o|ba[rz]",
        "[^f]oo",
        "\\d",
        "\\w+\\s\\w+",
        "(?:fo{1,2}){1,2}",
        "\\p{L}\\P{L}",
        "^$",
        "\\Bo",
        "(f)(o*?)b?",
        "\\S\\(",
        "[\\w.-]+x?",
        ".",
      ),
      regex: fc.constant(true),
    }),
  );

  test.skipIf(RIPGREP === null)(
    `both engines give the same answer on random trees${without}`,
    async () => {
      const ignored = fc.constantFrom("", "*.log\n!keep.log\n", "b/\n", "/gen\n*.py\n", "**/c\n", "{a,b}*\n");
      await fc.assert(
        fc.asyncProperty(
          fc.dictionary(path, content),
          ignored,
          query,
          fc.constantFrom("smart", "sensitive", "insensitive"),
          async (files, list, what, how) => {
            await using bench = await toolkitIn({ ...files, ".gitignore": list });
            const args = { ...what, case: how, context_lines: 1 };
            const [own, ripgrep] = await Promise.all(ENGINES.map(({ PATH }) => search(bench, args, PATH)));
            expect(ripgrep?.engine).toBe("ripgrep");
            expect(ripgrep?.data).toEqual(own?.data as CodebaseSearchOutput);
          },
        ),
        { numRuns: 100 },
      );
    },
    120_000,
  );

  test.skipIf(RIPGREP === null)(
    deep(`both engines give the same answer on random bytes and expressions${without}`),
    async () => {
      await using bench = await toolkitIn();
      await fc.assert(
        fc.asyncProperty(
          fc.array(randomBytes, { minLength: 4, maxLength: 4 }),
          fc.array(randomQuery, { minLength: 6, maxLength: 6 }),
          fc.constantFrom("smart", "sensitive", "insensitive"),
          async (files, queries, how) => {
            for (const [index, bytes] of files.entries())
              writeFileSync(join(bench.root, String(index)), bytes);
            const both = queries.map(async (what) => {
              const args = { ...what, case: how, context_lines: 1 };
              const [own, ripgrep] = await Promise.all(
                ENGINES.map(({ PATH }) => search(bench, args, PATH).then(({ data }) => data, String)),
              );
              expect([args, ripgrep]).toEqual([args, own]);
            });
            await Promise.all(both);
          },
        ),
        { numRuns: 60 },
      );
    },
    120_000,
  );

  test("finds in a line what JavaScript's own engine finds", async () => {
    await using bench = await toolkitIn();
    await fc.assert(
      fc.asyncProperty(content, query, async (text, what) => {
        writeFileSync(join(bench.root, "f"), text);
        const source = "regex" in what ? what.query : what.query.replaceAll(/[.()]/g, "\\$&");
        // There \w and \b are those of ASCII, and \s takes a byte order mark too.
        fc.pre(!/\\[bBwdsS]/.test(source));
        const pattern = new RegExp(source, "su");
        const { data } = await search(bench, { ...what, case: "sensitive" });
        const lines = text.replace(/^\ufeff/, "").split("\n");
        if (lines.at(-1) === "") lines.pop();
        const expected = lines.flatMap((line, at) => (pattern.test(line.replace(/\r$/, "")) ? [at + 1] : []));
        expect(data.matches.map(({ line }) => line).sort((a, b) => a - b)).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  }, 60_000);

  test("what cannot be searched for is INVALID_REGEX, with the place", async () => {
    await using bench = await toolkitIn({ a: "x" });
    for (const [query, at] of [
      ["(", 0],
      ["a)", 1],
      ["[a", 0],
      ["*a", 0],
      ["a{2,1}", 1],
      ["a{", 1],
      ["a{1001}", 1],
      ["(?=a)", 0],
      ["(?i)a", 0],
      ["(a)\\1", 3],
      ["\\", 0],
      ["a|\\q", 2],
      ["[b-a]", 1],
      ["[[:alpha:]]", 1],
      ["[a&&b]", 2],
      ["^*", 1],
      ["\\p{Nonsense}", 0],
      ["[^\\p{RGI_Emoji}]", 2],
      ["\\x{110000}", 0],
      ["((a{100}){100}){100}", 0],
      ["(".repeat(60), 50],
    ] as const)
      expect([query, await bench.invoke("codebase_search", { query, regex: true })]).toMatchObject([
        query,
        { status: "failure", error: { code: "INVALID_REGEX", details: { at } } },
      ]);
  });

  test("never leaves the workspace", async () => {
    await using bench = await toolkitIn({ a: "x", ".git/config": "x" });
    symlinkSync("../outside", join(bench.root, "out"));
    spawnSync("mkfifo", [join(bench.root, "pipe")]);
    for (const [path, code] of [
      ["..", "OUTSIDE_WORKSPACE"],
      ["out", "OUTSIDE_WORKSPACE"],
      ["out/secret", "OUTSIDE_WORKSPACE"],
      ["none", "NOT_FOUND"],
      ["pipe", "NOT_FILE"],
      [".git", "GIT_DIRECTORY"],
      [".git/config", "GIT_DIRECTORY"],
    ] as const)
      expect([path, await codeOf(bench.invoke("codebase_search", { query: "x", path }))]).toEqual([
        path,
        code,
      ]);
  });

  test("each wrong argument is INVALID_ARGUMENT and is named", async () => {
    await using bench = await toolkitIn();
    const wrong: readonly (readonly [object, string])[] = [
      [{}, "query"],
      [{ query: "" }, "query"],
      [{ query: 1 }, "query"],
      [{ query: "a\nb" }, "query"],
      [{ query: "a\0" }, "query"],
      [{ query: "\ud83d" }, "query"],
      [{ query: "x".repeat(1001) }, "query"],
      [{ query: "x", path: "" }, "path"],
      [{ query: "x", regex: "yes" }, "regex"],
      [{ query: "x", case: "upper" }, "case"],
      [{ query: "x", glob: "" }, "glob"],
      [{ query: "x", glob: ["*"] }, "glob"],
      [{ query: "x", glob: "{a,b}".repeat(7) }, "glob"],
      [{ query: "x", max_results: 0 }, "max_results"],
      [{ query: "x", max_results: 501 }, "max_results"],
      [{ query: "x", context_lines: -1 }, "context_lines"],
      [{ query: "x", context_lines: 11 }, "context_lines"],
      [{ query: "x", context_lines: 1.5 }, "context_lines"],
      [{ query: "x", top_k: 3 }, "top_k"],
    ];
    for (const [args, named] of wrong) {
      const result = await bench.invoke("codebase_search", args);
      expect([named, result.status === "success" || result.error.code]).toEqual([named, "INVALID_ARGUMENT"]);
      expect(result.status === "success" ? "" : result.message).toContain(named);
    }
  });

  test("runs no program that lies in the workspace, and does without a ripgrep that cannot do what is asked", async () => {
    await using bench = await toolkitIn({ a: "x\n" });
    const shell = (folder: string) => {
      mkdirSync(folder);
      writeFileSync(join(folder, "rg"), `#!/bin/sh\n: > "${folder}/ran"\nexit 2\n`, { mode: 0o755 });
      return folder;
    };
    const planted = shell(join(bench.root, "bin"));
    const broken = shell(join(bench.outside, "bin"));
    const found = await search(bench, { query: "x", path: "a" }, `${planted}:.`);
    expect(found.data.total_matches).toBe(1);
    expect((await search(bench, { query: "x", glob: "a" }, `bin:${planted}:${broken}`)).engine).toBe(
      "built-in",
    );
    const ran = await Promise.all([planted, broken].map((folder) => Bun.file(join(folder, "ran")).exists()));
    expect(ran).toEqual([false, true]);
  });

  test("runs no ripgrep of the workspace that a link elsewhere leads to", async () => {
    await using bench = await toolkitIn({ a: "sought\n", b: "sought\n" });
    writeFileSync(join(bench.root, "rg"), `#!/bin/sh\n: > "${bench.outside}/ran"\n`, { mode: 0o755 });
    symlinkSync(bench.root, join(bench.outside, "bin"));
    symlinkSync(join(bench.root, "rg"), join(bench.outside, "rg"));
    for (const PATH of [join(bench.outside, "bin"), bench.outside]) {
      const { data, engine } = await search(bench, { query: "sought" }, PATH);
      expect([data.total_matches, engine]).toEqual([2, "built-in"]);
    }
    expect(existsSync(join(bench.outside, "ran"))).toBe(false);
  });

  test.skipIf(RIPGREP === null || process.platform === "win32")(
    `does not take a disk image into memory${without}`,
    async () => {
      await using bench = await toolkitIn({ a: "x\n", image: "" });
      truncateSync(join(bench.root, "image"), 3 * 1024 ** 3);
      const code = join(bench.outside, "code");
      const limited = `#!/bin/sh\nulimit -v 1500000\n"${RIPGREP}" "$@"\necho $? > "${code}"\n`;
      writeFileSync(join(bench.outside, "rg"), limited, { mode: 0o755 });
      expect(places((await search(bench, { query: "x" }, bench.outside)).data)).toEqual(["a:1:1"]);
      // If it was too slow for its time, it was ended, and has no code; out of memory it aborts.
      const ended = existsSync(code) ? readFileSync(code, "utf8") : "0\n";
      expect(ended).toBe("0\n");
    },
  );

  test.skipIf(process.platform === "win32")("the end of a call is the end of its ripgrep", async () => {
    await using bench = await toolkitIn({ a: "x\n", b: "x\n" });
    const pid = join(bench.outside, "pid");
    const stuck = `#!/bin/sh\ntrap '' TERM\necho $$ > "${pid}"\nwhile :; do :; done\n`;
    writeFileSync(join(bench.outside, "rg"), stuck, { mode: 0o755 });
    const stop = new AbortController();
    const call = search(bench, { query: "x" }, bench.outside, stop.signal).catch(String);
    await waitFor("ripgrep to begin", () => existsSync(pid) && readFileSync(pid, "utf8").endsWith("\n"));
    stop.abort();
    expect(await call).toContain("CANCELED");
    expect(() => process.kill(Number(readFileSync(pid, "utf8")), 0)).toThrow();
  });

  test("stops when the caller does", async () => {
    await using bench = await toolkitIn({ a: `${"a".repeat(9000)}\n`.repeat(2000) });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    const began = performance.now();
    const host = { platform: process.platform, environment: () => ({ PATH: "/nowhere" }) };
    const toolkit = createAgentToolkit(
      contextOn(host, { workspaceRoot: bench.root, policy: { defaultPolicy: "allow" } }),
    );
    const answer = await toolkit.invoke(
      "codebase_search",
      { query: "(a|b|c)+x", regex: true },
      { signal: stop.signal },
    );
    expect(answer).toMatchObject({ status: "failure", error: { code: "CANCELED" } });
    expect(performance.now() - began).toBeLessThan(5000);
  });

  test("a folder that is swapped for a link between look and use is not searched", async () => {
    await using bench = await toolkitIn({ "d/secret": "mine\n" });
    await using _ = await swapForLink(join(bench.root, "d"), bench.outside);
    const seen = new Set<string>();
    for (let round = 0; round < 1000 || !seen.has("mine"); round++)
      for (const { text } of (await search(bench, { query: "e" })).data.matches) seen.add(text);
    expect([...seen]).toEqual(["mine"]);
  }, 60_000);
});
