import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { ToolCatalog } from "../../../../src/lib.ts";
import { gitWorld, setTrap } from "../git-world.ts";

describe("git_log", () => {
  test("seed 000 §9: git_log tells the commits, newest first, with parents, people, dates, subject and body", async () => {
    await using world = await gitWorld();
    const env = {
      GIT_AUTHOR_NAME: "あ N. Ame",
      GIT_AUTHOR_EMAIL: "a@b.c",
      GIT_AUTHOR_DATE: "2020-01-02T03:04:05+09:00",
      GIT_COMMITTER_DATE: "2035-01-02T03:04:05Z",
    };
    await world.sandbox.git(
      world.repo,
      ["commit", "-q", "--allow-empty", "-m", "second\n\nwith a body\n\nof two parts"],
      { env },
    );
    const [second = "", first = ""] = (await world.git(["rev-list", "HEAD"])).split("\n");
    const result = await world.toolkit.gitLog();
    expect(result).toEqual({
      status: "success",
      data: {
        commits: [
          {
            hash: second,
            parents: [first],
            author: { name: "あ N. Ame", email: "a@b.c", date: "2020-01-02T03:04:05+09:00" },
            committer: { name: "Una User", email: "una@example.com", date: "2035-01-02T03:04:05+00:00" },
            subject: "second",
            body: "with a body\n\nof two parts",
          },
          expect.objectContaining({ hash: first, parents: [], subject: "first", body: "" }),
        ],
        more: false,
      },
    });
    const data = result.status === "success" ? result.data : null;
    expect<unknown>(ToolCatalog.git_log.output.parse(data)).toEqual(data);
  });

  test("limit and skip page through, and more says whether there is another page", async () => {
    await using world = await gitWorld();
    for (const name of ["b", "c", "d"])
      await world.sandbox.commit(world.repo, { [`${name}.txt`]: name }, name);
    const page = async (input: object) => {
      const result = await world.toolkit.gitLog(input);
      return result.status === "success"
        ? [result.data.commits.map(({ subject }) => subject), result.data.more]
        : result;
    };
    expect(await page({ limit: 2 })).toEqual([["d", "c"], true]);
    expect(await page({ limit: 2, skip: 2 })).toEqual([["b", "first"], false]);
    expect(await page({ paths: ["c.txt"] })).toEqual([["c"], false]);
    expect(await page({ range: "HEAD~1" })).toEqual([["c", "b", "first"], false]);
    expect(await page({ range: "HEAD~1..HEAD" })).toEqual([["d"], false]);
    expect(await page({ grep: "^[bc]$" })).toEqual([["c", "b"], false]);
    expect(await page({ author: "nobody" })).toEqual([[], false]);
    expect(await page({ author: "--all" })).toEqual([[], false]);
    expect(await page({ since: "2 weeks ago", until: "2001-01-01" })).toEqual([[], false]);
  });

  test("a repository without commits answers none", async () => {
    await using world = await gitWorld();
    await world.sandbox.repository("work/empty", { empty: true });
    expect(await world.toolkit.gitLog({ cwd: "empty" })).toEqual({
      status: "success",
      data: { commits: [], more: false },
    });
  });

  test("what is wrong has its code", async () => {
    await using world = await gitWorld();
    for (const [code, input] of [
      ["UNKNOWN_REVISION", { range: "nope" }],
      ["INVALID_ARGUMENT", { range: "--all" }],
      ["INVALID_ARGUMENT", { range: "a\nb" }],
      ["INVALID_ARGUMENT", { limit: 0 }],
      ["INVALID_ARGUMENT", { limit: 1_001 }],
      ["INVALID_ARGUMENT", { skip: -1 }],
      ["INVALID_ARGUMENT", { author: "" }],
      ["INVALID_ARGUMENT", { max: 1 }],
      ["OUTSIDE_WORKSPACE", { paths: ["../x"] }],
      ["NOT_DIRECTORY", { cwd: "missing" }],
    ] as const)
      expect([input, await world.toolkit.invoke("git_log", input)]).toMatchObject([
        input,
        { error: { code } },
      ]);
    const plain = world.toolkitWith({ workspaceRoot: world.sandbox.home });
    expect(await plain.gitLog()).toMatchObject({ error: { code: "NOT_GIT_REPOSITORY" } });
  });

  test("nothing that the repository names is run, and it works if nothing may be written", async () => {
    await using world = await gitWorld();
    const trap = await setTrap(join(world.sandbox.root, "traps"));
    for (const key of ["core.pager", "pager.log", "gpg.program", "core.fsmonitor"])
      await world.git(["config", key, trap.program]);
    await world.git(["config", "log.showSignature", "true"]);
    const toolkit = world.toolkitWith({ writeScope: "read-only", git: "read-only" });
    expect(await toolkit.gitLog()).toMatchObject({ data: { commits: [{ subject: "first" }] } });
    expect(await trap.sprung()).toBe(false);
  });
});
