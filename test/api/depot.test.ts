/** Knocks at the door of a depot: who comes in, and what is taken from whom. */
import { expect } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { leftRef } from "../../src/domain/worker/left-worktree.ts";
import { insertLeft, offerKept } from "../../src/storage/team/left-worktrees.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { depotServer, KEYS, leftBy, NAME } from "../helpers/depot-server.ts";

const ATTEMPT = "attempt-1";
const live = (epoch: number, number = 1) => `refs/tazuna/live/${ATTEMPT}/run-1/${epoch}/${number}`;
const A = `a:${KEYS.a}`;
const INFO = `${NAME}/info/refs?service=git-receive-pack`;
const LIMITS = { timeoutMs: 180_000 };

onBothDatabases(
  "a depot opens by the key of a worker's last start, and by nothing else",
  async ({ db }) => {
    await using server = await depotServer(db);
    const statusOf = async (login?: string) =>
      (await server.call(INFO, login === undefined ? {} : { login })).status;
    expect(await statusOf()).toBe(401);
    for (const wrong of [`a:${KEYS.b}`, `b:${KEYS.a}`, "a:", `c:${KEYS.a}`, `:${KEYS.a}`, A.slice(0, -1)])
      expect([wrong, await statusOf(wrong)]).toEqual([wrong, 401]);
    expect(await statusOf(A)).toBe(200);
    // What opens the API is no key here.
    expect((await server.call(INFO, { headers: { authorization: `Bearer ${KEYS.a}` } })).status).toBe(401);
    const foreign = { login: A, headers: { host: "elsewhere.example" } };
    expect((await server.call(INFO, foreign)).status).toBe(403);
    const page = { login: A, headers: { origin: "https://elsewhere.example" } };
    expect((await server.call(INFO, page)).status).toBe(403);
    // The stored hash is no key, a removed worker has none, and the next start has another one.
    const { depotKey } = await db.reader
      .selectFrom("workers")
      .select("depotKey")
      .where("id", "=", "a")
      .executeTakeFirstOrThrow();
    expect(depotKey).toMatch(/^[0-9a-f]{64}$/);
    expect(await statusOf(`a:${depotKey}`)).toBe(401);
    await transact(db, (trx) =>
      trx
        .updateTable("workers")
        .set({ removedAt: "2026-01-02T12:00:00.000Z" })
        .where("id", "=", "a")
        .execute(),
    );
    expect(await statusOf(A)).toBe(401);
  },
  LIMITS,
);

onBothDatabases(
  "wrong keys are counted, and the right one still opens",
  async ({ db }) => {
    await using server = await depotServer(db);
    const statuses = new Set<number>();
    for (let tries = 0; tries < 32; tries++)
      statuses.add((await server.call(INFO, { login: "a:wrong" })).status);
    expect([...statuses]).toEqual([401, 429]);
    expect((await server.call(INFO, { login: A })).status).toBe(200);
  },
  LIMITS,
);

onBothDatabases(
  "only repositories of the team have a place, and only smart HTTP is spoken there",
  async ({ db }) => {
    await using server = await depotServer(db);
    const strange = `garden-${"0".repeat(32)}.git`;
    const service = "service=git-receive-pack";
    for (const [method, path] of [
      ["GET", `${strange}/info/refs?${service}`],
      ["GET", `${NAME}/info/refs`],
      ["GET", `${NAME}/info/refs?${service}&x=1`],
      ["GET", `${NAME}/HEAD`],
      ["GET", `${NAME}/objects/info/packs`],
      ["GET", `${NAME}/git-receive-pack`],
      ["POST", `${NAME}/info/refs?${service}`],
      ["POST", `${NAME}/git-upload-archive`],
      ["GET", `${NAME}%2fhooks/info/refs?${service}`],
      ["GET", `${NAME}/hooks/..%2finfo/refs?${service}`],
      ["GET", `..%2f${NAME}/info/refs?${service}`],
      ["GET", `incoming/info/refs?${service}`],
    ] as const)
      expect([path, (await server.call(path, { method, login: A })).status]).toEqual([path, 404]);
    // It has left the address of the depot before it is asked for.
    expect((await server.call(`../../depot/../etc/passwd`, { login: A })).status).toBe(418);
    expect(await readdir(server.folder).catch(() => [])).toEqual([]);
  },
  LIMITS,
);

onBothDatabases(
  "a worker makes new references of its own attempts, and does nothing else",
  async ({ db }) => {
    await using server = await depotServer(db);
    const epoch = (await server.lease("a")) ?? 0;
    expect(await server.lease("a", { id: "run-2" })).toBe(epoch);
    const [first, second] = [live(epoch, 1), live(epoch, 2)];
    await server.sandbox.git(server.repository, ["commit", "--quiet", "--allow-empty", "-m", "Later"]);
    expect(await server.push("a", [`HEAD~1:${first}`])).toBeNull();
    expect(await server.push("a", [`HEAD:${second}`, `HEAD:refs/tazuna/snapshots/${ATTEMPT}/7`])).toBeNull();
    const taken = [first, second, `refs/tazuna/snapshots/${ATTEMPT}/7`];
    expect(await server.refs()).toEqual(taken);
    const elsewhere = first.replace(ATTEMPT, "attempt-2");
    const ofOther = elsewhere.replace("run-1", "run-2");
    for (const refspec of [
      "HEAD:refs/heads/main",
      "HEAD:refs/tags/v1",
      "HEAD:refs/tazuna/other/x",
      `HEAD:refs/tazuna/live/${ATTEMPT}/run-1/${epoch}/03x`,
      `HEAD:refs/tazuna/live/${ATTEMPT}/run-2/${epoch}/3`,
      `HEAD:${elsewhere}`,
      `HEAD:${ofOther}`,
      "HEAD:refs/tazuna/snapshots/attempt-3/1",
      "HEAD:refs/tazuna/snapshots/attempt-2/1",
      // A deletion, a step ahead, and a step back.
      `:${first}`,
      `HEAD:${first}`,
      `HEAD~1:${second}`,
      `HEAD:${live(epoch + 1, 3)}`,
    ])
      expect([refspec, await server.push("a", [refspec])]).toEqual([refspec, expect.stringContaining("403")]);
    // One wrong reference keeps all of a push out.
    expect(await server.push("a", [`HEAD:${live(epoch, 4)}`, "HEAD:refs/heads/main"])).toContain("403");
    expect(await server.refs()).toEqual(taken);
    expect(await readdir(join(server.folder, "incoming"))).toEqual([]);
    expect(server.reported).toEqual([]);
  },
  LIMITS,
);

onBothDatabases(
  "who lost the lease pushes nothing more, under its own epoch or that of the new owner",
  async ({ db }) => {
    await using server = await depotServer(db);
    const stale = (await server.lease("a", { forMs: -1 })) ?? 0;
    expect(await server.push("a", [`HEAD:${live(stale)}`])).toBeNull();
    const epoch = (await server.lease("b")) ?? 0;
    expect(epoch).toBe(stale + 1);
    await server.sandbox.git(server.repository, ["commit", "--quiet", "--allow-empty", "-m", "Too late"]);
    for (const ref of [
      live(stale, 2),
      live(epoch),
      `refs/tazuna/snapshots/${ATTEMPT}/1`,
      live(epoch).replace("live", "runs"),
    ])
      expect([ref, await server.push("a", [`HEAD:${ref}`])]).toEqual([ref, expect.stringContaining("403")]);
    expect(await server.push("b", [`HEAD:${live(epoch)}`])).toBeNull();
    expect(await server.push("b", [`HEAD:${live(stale, 3)}`])).toContain("403");
    expect(await server.refs()).toEqual([live(stale), live(epoch)]);
  },
  LIMITS,
);

onBothDatabases(
  "a worker that came back pushes what it has stored of an attempt of another one, once, and nothing else",
  async ({ db }) => {
    await using server = await depotServer(db);
    const left = await leftBy(server, "b");
    const ref = leftRef(left);
    const nothing = async (worker: "a" | "b", refspec: string) =>
      expect([worker, refspec, await server.push(worker, [refspec])]).toEqual([
        ...[worker, refspec],
        expect.stringContaining("403"),
      ]);
    // Before it has stored it.
    await nothing("b", `HEAD:${ref}`);
    const ofAnotherRepository = { ...left, attemptId: "attempt-2" };
    for (const each of [left, ofAnotherRepository]) await transact(db, (trx) => insertLeft(trx, each));
    await server.sandbox.git(server.repository, ["commit", "--quiet", "--allow-empty", "-m", "Later"]);
    await nothing("b", `HEAD:${ref}`);
    await nothing("a", `${left.sha}:${ref}`);
    await nothing("a", `${left.sha}:${leftRef({ ...left, workerId: "a" })}`);
    await nothing("b", `${left.sha}:${leftRef(ofAnotherRepository)}`);
    await nothing("b", `${left.sha}:${leftRef({ ...left, attemptId: "attempt-3" })}`);
    await nothing("b", `${left.sha}:${ref}/more`);
    await nothing("b", `${left.sha}:refs/tazuna/snapshots/${ATTEMPT}/1`);
    expect(await server.refs()).toEqual([]);
    expect(await server.push("b", [`${left.sha}:${ref}`])).toBeNull();
    // It is neither moved nor deleted, and once it is offered it is not made again.
    await nothing("b", `HEAD:${ref}`);
    await nothing("b", `:${ref}`);
    await transact(db, (trx) => offerKept(trx, left));
    await server.sandbox.git(join(server.folder, NAME), ["update-ref", "-d", ref]);
    await nothing("b", `${left.sha}:${ref}`);
    expect(await server.refs()).toEqual([]);
    expect(server.reported).toEqual([]);
  },
  LIMITS,
);
