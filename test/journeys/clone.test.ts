/** Clones repositories by their address from a real server that wants a password, and works on them to the end. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { TeamActDocument } from "../../src/contract/endpoints/access.ts";
import { cloneWorld, type KnownRepository, TOKEN } from "../helpers/clone-world.ts";
import { gitHttpServer } from "../helpers/git-http-server.ts";
import { ask, branchAt, ending, exists, PATIENCE_MS, refused } from "../helpers/journey.ts";
import type { CommandEnd } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };

/** The one repository that a command answers with. */
function added(end: CommandEnd): KnownRepository {
  const [repository] = end.json<{ repositories: readonly KnownRepository[] }>().repositories;
  if (repository === undefined) throw new Error(`nothing added: ${end.stdout}`);
  return repository;
}

/** The arguments of every `tazuna …` in a remedy, in their order. */
function commandsIn(remedy: string): readonly (readonly string[])[] {
  return [...remedy.matchAll(/`tazuna ([^`]+)`/g)].map(([, words = ""]) => words.split(" "));
}

test("seed 003 Folders: an address is cloned into workspaces/{uuid}, with the credentials of the shell, which are stored nowhere (departs: no working files) (promise 6.3)", async () => {
  await using world = await cloneWorld();
  const { product, url, login, server } = world;
  const end = await product.tazuna(["repo", "add", url, "--json"], login);
  const clone = added(end);
  expect(clone).toMatchObject({ name: "origin", url, path: join(product.home, "workspaces", clone.id) });
  expect((await readdir(clone.path)).sort()).toEqual([".git"]);
  expect(await readdir(join(product.home, "workspaces"))).toEqual([clone.id]);
  const git = (...args: readonly string[]) => product.sandbox.git(clone.path, args);
  expect(await git("rev-parse", "main")).toBe((await branchAt(product, product.origin, "main")) ?? "");
  expect(await git("symbolic-ref", "refs/remotes/origin/HEAD")).toBe("refs/remotes/origin/main");
  expect(await git("config", "remote.origin.url")).toBe(url);
  expect(await exists(join(clone.path, ".git", "hooks"))).toBe(false);
  expect(new Set(server.requests.flatMap(({ login: given }) => given ?? []))).toEqual(
    new Set([`x-access-token:${TOKEN}`]),
  );
  expect(world.filesWith(TOKEN)).toEqual([]);

  // The same repository, however it is spelled, is not cloned again.
  const before = server.requests.length;
  for (const spelled of [`${url}/`, url.replace(/\.git$/, ""), url.replace("//", "//una@")])
    expect(added(await product.tazuna(["repo", "add", spelled, "--json"]))).toEqual(clone);
  expect(server.requests).toHaveLength(before);
  // Taken out of the list, it comes back by its address.
  await product.tazuna(["repo", "remove", clone.id]);
  await product.tazuna(["repo", "add", url, "--json"]);
  const told = await product.tazuna(["activity", "--team", "--json"]);
  const { acts } = told.json<{ acts: readonly TeamActDocument[] }>();
  const owner = { kind: "owner", id: null, name: null } as const;
  expect<unknown>(acts.map(({ kind, subject, actor }) => [kind, subject, actor]).toReversed()).toEqual([
    ["repository_added", clone.id, owner],
    ["repository_removed", clone.id, owner],
    ["repository_added", clone.id, owner],
  ]);
  expect(told.stdout).not.toContain(url);
});

test(
  deep(
    "a task on an address goes from the clone to the push, the follow-up, the comparison and the clean-up",
  ),
  async () => {
    await using world = await cloneWorld();
    const { product, url, login } = world;
    await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
    const cwd = dirname(product.home);
    const there = { ...login, cwd };
    const first = await ask(product, ["run", "echo one > one.txt", "--agent", "doer", "--repo", url], there);
    const { attempt } = first;
    expect<unknown>(ending(first.run)).toEqual(PUSHED);
    expect(await branchAt(product, product.origin, attempt.branch)).toBe(first.run.commit);
    const next = await ask(product, ["continue", attempt.id, "echo two > two.txt"], there);
    expect<unknown>(ending(next.run)).toEqual(PUSHED);
    expect(await branchAt(product, product.origin, attempt.branch)).toBe(next.run.commit);
    expect((await product.tazuna(["diff", attempt.id], there)).stdout).toContain("+two");
    expect((await product.tazuna(["list", "--repo", url], there)).stdout).toContain("echo one");
    const applied = await refused(product, ["apply", attempt.id], there);
    expect(applied).toMatchObject({ code: 1, error: { code: "no_checkout" } });
    expect(applied.error.message).toContain("clone");
    const cleaned = await product.tazuna(["clean", "--yes", "--json"], there);
    expect(cleaned.json<{ removed: readonly { id: string }[] }>().removed.map(({ id }) => id)).toEqual([
      attempt.id,
    ]);
    expect(world.filesWith(TOKEN)).toEqual([]);
  },
);

describe("what cannot be cloned", () => {
  test(deep("is told apart, and leaves nothing; what each remedy says goes through"), async () => {
    await using world = await cloneWorld();
    const { product, server, url, login } = world;
    await product.configure({ limits: { git_s: 2 } });
    await product.sandbox.git(dirname(product.origin), ["init", "--quiet", "--bare", "empty.git"]);
    await using html = Bun.serve({ port: 0, fetch: () => new Response("<html>Welcome</html>") });
    const clone = async (address: string, how = login) => {
      const { code, error } = await refused(product, ["repo", "add", address], how);
      return [code, error.code];
    };
    const unknown = await refused(product, ["repo", "add", url], { env: {} });
    expect([unknown.code, unknown.error.code]).toEqual([1, "clone_auth"]);
    const wrong = { env: { ...login.env, TAZUNA_GITHUB_TOKEN: "not-the-token" } };
    expect(await clone(url, wrong)).toEqual([1, "clone_auth"]);
    expect(await clone(server.url("no-such.git"))).toEqual([1, "clone_not_found"]);
    expect(await clone(server.url("empty.git"))).toEqual([1, "empty_repository"]);
    expect(await clone(`http://127.0.0.1:${html.port}/page`)).toEqual([1, "empty_repository"]);
    expect(await clone("http://127.0.0.1:9/none.git")).toEqual([1, "clone_unreachable"]);
    const hanging = server.requests.length;
    server.behave({ hang: true });
    const slow = await refused(product, ["repo", "add", url], login);
    expect([slow.code, slow.error.code]).toEqual([1, "clone_unreachable"]);
    expect(server.requests.length).toBeGreaterThan(hanging);
    expect(await readdir(join(product.home, "workspaces"))).toEqual([]);
    expect(await world.repositories()).toEqual([]);
    expect(world.filesWith(TOKEN)).toEqual([]);

    server.behave({ hang: false });
    server.release();
    const commands = [slow, unknown].flatMap(({ error }) => commandsIn(error.remedy));
    expect(commands).toEqual([
      ["repo", "add", url],
      ["repo", "add", url],
    ]);
    for (const args of commands) expect((await product.tazuna(args, login)).code).toBe(0);
    expect(await world.repositories()).toHaveLength(1);
  });

  test("an address with a password is refused before it is sent, and names no secret", async () => {
    await using world = await cloneWorld();
    const { product, server } = world;
    const secret = "canary-in-the-address";
    const withSecret = server.url("origin.git").replace("//", `//una:${secret}@`);
    for (const args of [
      ["repo", "add", withSecret],
      ["run", "Change it", "--agent", "demo", "--repo", withSecret],
    ]) {
      const end = await product.tazuna([...args, "--json"]);
      expect([end.code, end.json<{ error: { code: string } }>().error.code]).toEqual([2, "url_refused"]);
      expect(end.stdout + end.stderr).not.toContain(secret);
    }
    expect(server.requests).toEqual([]);
    await product.tazuna(["list"]);
    expect(world.filesWith(secret)).toEqual([]);
  });

  test("a redirect to another host gets no credentials", async () => {
    await using world = await cloneWorld({ password: null });
    const { product, url, login, server } = world;
    await using other = await gitHttpServer(dirname(product.origin), {
      password: { user: "x-access-token", password: TOKEN },
    });
    server.behave({ redirectTo: other.url("").replace(/\/$/, "") });
    const { error } = await refused(product, ["repo", "add", url], login);
    expect(error.code).toBe("clone_auth");
    expect(other.requests.length).toBeGreaterThan(0);
    expect(other.requests.flatMap(({ login: given }) => given ?? [])).toEqual([]);
    expect(other.requests.some(({ headers }) => headers.includes(TOKEN))).toBe(false);
  });
});

test("two who ask for one address at once get one clone; one who leaves ends nothing of the other's", async () => {
  await using world = await cloneWorld({ hang: true });
  const { product, url, login, server } = world;
  const first = product.start(["repo", "add", url, "--json"], login);
  await waitFor("the first request", () => server.requests.length > 0);
  const others = [url, `${url}/`].map((one) => product.start(["repo", "add", one, "--json"], login));
  first.kill("SIGINT");
  const left = await first.end;
  expect([left.code, left.json<{ error: { code: string } }>().error.code]).toEqual([130, "interrupted"]);
  server.behave({ hang: false });
  server.release();
  const [one, two] = await Promise.all(others.map(async ({ end }) => added(await end)));
  expect(two).toEqual(one as KnownRepository);
  expect(await readdir(join(product.home, "workspaces"))).toEqual([one?.id ?? ""]);
  expect(await world.repositories()).toHaveLength(1);
});

test(deep("a clone follows its remote: a renamed default branch, and the settings on it"), async () => {
  await using world = await cloneWorld({ password: null });
  const { product, url } = world;
  const { sandbox, origin } = product;
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
  const clone = added(await product.tazuna(["repo", "add", url, "--json"]));
  await sandbox.git(origin, ["branch", "-m", "main", "trunk"]);
  await sandbox.git(origin, ["symbolic-ref", "HEAD", "refs/heads/trunk"]);
  await sandbox.commitTo(origin, "trunk", {
    ".tazuna/config.json": JSON.stringify({ checks: [{ name: "ok", run: ".tazuna/ok" }] }),
    ".tazuna/ok": { content: "#!/bin/sh\nexit 0\n", kind: "executable" },
  });
  const run = ["run", "echo one > one.txt", "--agent", "doer", "--repo", url];
  // The fetch of the first run brings the settings, and a person has not seen them.
  const first = await ask(product, run);
  expect<unknown>([ending(first.run), first.attempt.base.branch]).toEqual([
    { status: "FAILED", outcome: null, failure: "setup_failed" },
    "trunk",
  ]);
  expect(await readFile(join(clone.path, ".tazuna", "ok"), "utf8")).toBe("#!/bin/sh\nexit 0\n");
  const trusted = await ask(product, [...run, "--trust"]);
  expect<unknown>([ending(trusted.run), trusted.run.checks.map(({ name }) => name)]).toEqual([
    PUSHED,
    ["ok"],
  ]);
  await sandbox.commitTo(origin, "trunk", { ".tazuna/ok": null, ".tazuna/config.json": "{}" });
  const last = await ask(product, run);
  expect<unknown>([ending(last.run), await readdir(join(clone.path, ".tazuna"))]).toEqual([
    PUSHED,
    ["config.json"],
  ]);
});

test(deep("a merge into a clone begins from what the remote has, and says how to push"), async () => {
  await using world = await cloneWorld({ password: null });
  const { product, url } = world;
  const { sandbox, origin } = product;
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
  const { attempt } = await ask(product, ["run", "echo one > one.txt", "--agent", "doer", "--repo", url]);
  const moved = await sandbox.commitTo(origin, "main", { "theirs.txt": "theirs\n" });
  const merged = await product.tazuna(["merge", attempt.id]);
  const [clone] = (await world.repositories()).filter((one) => one.url !== null);
  expect([merged.code, merged.stdout]).toEqual([0, expect.stringContaining("push origin main")]);
  const [push = ""] = /git -C \S.*push origin main/.exec(merged.stdout) ?? [];
  expect(push).not.toBe("");
  const path = clone?.path ?? "";
  expect(await sandbox.git(path, ["merge-base", "main", moved])).toBe(moved);
  await sandbox.git(path, ["push", "--quiet", "origin", "main"]);
  expect(await branchAt(product, origin, "main")).toBe(await sandbox.git(path, ["rev-parse", "main"]));
});

test("a clone cannot be moved; out of the list it stays, and its address brings it back", async () => {
  await using world = await cloneWorld({ password: null });
  const { product, url, server } = world;
  const clone = added(await product.tazuna(["repo", "add", url, "--json"]));
  await mkdir(join(dirname(product.home), "elsewhere"));
  const moved = await refused(product, ["repo", "move", clone.id, product.repository]);
  expect(moved).toMatchObject({ code: 1, error: { code: "clone_not_moved" } });
  const removed = await product.tazuna(["repo", "remove", clone.id]);
  expect([removed.code, removed.stdout]).toEqual([0, expect.stringContaining(`tazuna repo add ${url}`)]);
  expect(await world.repositories()).toEqual([]);
  const requests = server.requests.length;
  expect(added(await product.tazuna(["repo", "add", url, "--json"]))).toEqual(clone);
  expect(server.requests).toHaveLength(requests);
  // The folder itself means the same repository.
  expect(added(await product.tazuna(["repo", "add", clone.path, "--json"]))).toEqual(clone);
});
