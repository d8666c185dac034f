/** Serves a depot over real HTTP and a real git, for two workers of which the first holds the sample run. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createDepotRoute } from "../../src/api/depot/depot-route.ts";
import type { LeftWorktree } from "../../src/domain/worker/left-worktree.ts";
import { depotOptions } from "../../src/git/depot/depot-access.ts";
import type { ServiceContext } from "../../src/services/core/context.ts";
import { depotName } from "../../src/services/depot/depot-of.ts";
import { createDepotServer } from "../../src/services/depot/serve-depot.ts";
import { hashOfKey } from "../../src/services/depot/watch-depot.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import { insertAttempt } from "../../src/storage/tables/attempts.ts";
import { insertRepository } from "../../src/storage/tables/repositories.ts";
import { takeLease } from "../../src/storage/tables/run-lease.ts";
import { insertRun } from "../../src/storage/tables/runs.ts";
import { insertTask } from "../../src/storage/tables/tasks.ts";
import { setDepotKey } from "../../src/storage/team/depot.ts";
import { registerWorker } from "../../src/storage/team/workers.ts";
import { transact } from "../../src/storage/transact.ts";
import { productGit } from "../git/scene.ts";
import { NOON, sampleAttempt, sampleRepository, sampleRun, sampleTask } from "../storage/sample-rows.ts";
import { type GitSandbox, gitSandbox } from "./git-repo.ts";

export const ADDRESS = "https://git.example/us/Garden.git";
export const NAME = depotName(ADDRESS) ?? "";
export const KEYS = { a: "key-of-a".padEnd(43, "a"), b: "key-of-b".padEnd(43, "b") };

export async function depotServer(db: Database) {
  const sandbox: GitSandbox = await gitSandbox();
  const git = productGit(sandbox);
  const repository = await sandbox.repository("garden");
  const folder = join(sandbox.root, "depot");
  await mkdir(folder);
  const reported: unknown[] = [];
  await transact(db, async (trx) => {
    await insertRepository(trx, { ...sampleRepository, address: ADDRESS }, "a");
    await insertTask(trx, sampleTask);
    await insertAttempt(trx, sampleAttempt);
    await insertRun(trx, sampleRun);
    // Of another repository, and held by the same worker.
    const other = {
      ...sampleRepository,
      id: "repo-2",
      path: "/home/me/field",
      commonDir: "/home/me/field/.git",
    };
    await insertRepository(trx, { ...other, address: ADDRESS.replace("Garden", "Field") }, "a");
    await insertTask(trx, { ...sampleTask, id: "task-2", repositoryId: "repo-2" });
    const elsewhere = {
      id: "attempt-2",
      taskId: "task-2",
      branch: "tazuna/2",
      worktree: "/data/worktrees/2",
    };
    await insertAttempt(trx, { ...sampleAttempt, ...elsewhere });
    await insertRun(trx, { ...sampleRun, id: "run-2", attemptId: "attempt-2" });
    for (const id of ["a", "b"]) await registerWorker(trx, { id, version: "1.0.0", slots: 4, host: id });
    await trx.updateTable("attempts").set({ workerId: "a" }).execute();
    for (const worker of ["a", "b"] as const)
      await setDepotKey(trx, { worker, hash: hashOfKey(KEYS[worker]) });
  });
  const context = { db, git, reportFault: (_: string, error: unknown) => reported.push(error) };
  const hosts: string[] = [];
  const route = createDepotRoute({
    depot: createDepotServer(context as unknown as ServiceContext, folder),
    allowedHosts: () => hosts,
    now: Date.now,
    report: (error) => reported.push(error),
  });
  const server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1" },
    fetch: (request) =>
      route.isFor(request)
        ? route.fetch(request, { address: "127.0.0.1" })
        : new Response("the API", { status: 418 }),
  });
  hosts.push(`127.0.0.1:${server.port}`);
  const base = `http://127.0.0.1:${server.port}/depot`;
  return {
    ...{ sandbox, git, repository, folder, reported },
    /** The repository's own place below the server. */
    url: `${base}/${NAME}`,
    base,
    /** A request with the key of a worker, or with another login. */
    call: (path: string, init: RequestInit & { readonly login?: string } = {}) =>
      fetch(`${base}/${path}`, {
        ...init,
        headers: {
          ...(init.headers as Record<string, string>),
          ...(init.login === undefined ? {} : { authorization: `Basic ${btoa(init.login)}` }),
        },
      }),
    /** Takes the lease of a run, the sample run unless told; answers with its epoch. */
    lease: (owner: "a" | "b", { forMs = 600_000, id = sampleRun.id } = {}) =>
      transact(db, (trx) => takeLease(trx, { id, owner, forMs })),
    /** Pushes as that worker; answers with what git said, or null if all of it was taken. */
    push: async (worker: "a" | "b", refspecs: readonly string[]) => {
      const depot = { url: `${base}/${NAME}`, key: { worker, secret: KEYS[worker] } };
      const target = { gitDir: join(repository, ".git"), workTree: null };
      const pushed = await git.run(
        target,
        ["push", "--quiet", "--force", depot.url, ...refspecs],
        depotOptions(depot),
      );
      return pushed.isOk() ? null : pushed.error.message;
    },
    /** The names of all references that the depot has of the repository. */
    refs: async () => {
      const listed = await sandbox
        .git(join(folder, NAME), ["for-each-ref", "--format=%(refname)"])
        .catch(() => "");
      return listed === "" ? [] : listed.split("\n");
    },
    [Symbol.asyncDispose]: async () => {
      await server.stop(true);
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

/** What a worker that came back has stored of the sample attempt: the repository's HEAD. */
export async function leftBy(
  { sandbox, repository }: Awaited<ReturnType<typeof depotServer>>,
  workerId: "a" | "b",
): Promise<LeftWorktree> {
  const sha = await sandbox.git(repository, ["rev-parse", "HEAD"]);
  return {
    ...{ attemptId: sampleAttempt.id, workerId, path: "/data/worktrees/1", sha, base: sha, files: 1 },
    ...{ notContained: [], state: "kept", takenAt: NOON, endedAt: null },
  };
}
