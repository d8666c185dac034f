import { describe, expect } from "bun:test";
import type { AnswerRule } from "../../src/domain/question/answer-rule.ts";
import { insertAnswerRule, listAnswerRules } from "../../src/storage/tables/questions.ts";
import {
  absorbRepository,
  getRepository,
  insertRepository,
  listRepositories,
  moveRepository,
  repositoryByPath,
} from "../../src/storage/tables/repositories.ts";
import { insertTask } from "../../src/storage/tables/tasks.ts";
import { trustScript } from "../../src/storage/tables/trusted-scripts.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { insertSampleRun, sampleRepository, sampleTask } from "./sample-rows.ts";

const bare = {
  ...sampleRepository,
  id: "repo-0",
  path: "/srv/ 花 'x'\n.git",
  commonDir: "/srv/ 花 'x'\n.git",
  bare: true,
  url: "https://git.example.com/srv/花",
  address: "https://git.example.com/srv/花",
};

describe("repositories", () => {
  onBothDatabases("are read back whole, by id and by path", async ({ db }) => {
    await transact(db, (trx) => insertRepository(trx, sampleRepository, "worker-1"));
    await transact(db, (trx) => insertRepository(trx, bare, "worker-1"));
    expect(await getRepository(db.reader, "repo-0")).toEqual(bare);
    expect(await repositoryByPath(db.reader, sampleRepository.path, null)).toEqual(sampleRepository);
    expect(await listRepositories(db.reader, null)).toEqual([bare, sampleRepository]);
    expect(await getRepository(db.reader, "repo-2")).toBeNull();
    expect(await repositoryByPath(db.reader, "/srv", null)).toBeNull();
  });

  onBothDatabases("have a path of their own", async ({ db }) => {
    await transact(db, (trx) => insertRepository(trx, sampleRepository, "worker-1"));
    const twice = transact(db, (trx) =>
      insertRepository(trx, { ...sampleRepository, id: "repo-2" }, "worker-1"),
    );
    await expect(twice).rejects.toThrow(/unique/i);
    expect(await listRepositories(db.reader, null)).toEqual([sampleRepository]);
  });

  onBothDatabases("move", async ({ db }) => {
    await transact(db, (trx) => insertRepository(trx, sampleRepository, "worker-1"));
    const there = { name: "yard", path: "/yard", commonDir: "/yard/.git" };
    expect(await transact(db, (trx) => moveRepository(trx, { id: "repo-1", ...there }))).toBe("moved");
    expect(await transact(db, (trx) => moveRepository(trx, { id: "repo-2", ...there }))).toBe("missing");
    expect(await listRepositories(db.reader, null)).toEqual([{ ...sampleRepository, ...there }]);
  });

  onBothDatabases("become one where one of them is the other", async ({ db }) => {
    const script = {
      repositoryId: "repo-0",
      hash: "a",
      text: "make",
      trustedAt: sampleRepository.createdAt,
      actor: null,
    };
    const rule: AnswerRule = {
      id: "rule-1",
      repositoryId: "repo-0",
      kind: "prefix",
      text: "npm install",
      folder: "",
      asks: "`npm` reaches the network.",
      touches: [],
      questionId: "question-1",
      by: null,
      at: sampleRepository.createdAt,
    };
    await transact(db, async (trx) => {
      await insertSampleRun(trx);
      await insertRepository(trx, bare, "worker-1");
      await insertAnswerRule(trx, rule);
      await insertTask(trx, { ...sampleTask, id: "task-2", repositoryId: "repo-0" });
      await trustScript(trx, script);
      await trustScript(trx, { ...script, repositoryId: "repo-1" });
      await trustScript(trx, { ...script, hash: "b" });
    });
    await transact(db, (trx) => absorbRepository(trx, { id: "repo-0", into: "repo-1" }));
    expect(await listRepositories(db.reader, null)).toEqual([sampleRepository]);
    const tasks = await db.reader.selectFrom("tasks").select(["id", "repositoryId"]).orderBy("id").execute();
    expect(tasks).toEqual([
      { id: "task-1", repositoryId: "repo-1" },
      { id: "task-2", repositoryId: "repo-1" },
    ]);
    expect(await listAnswerRules(db.reader, null)).toEqual([{ ...rule, repositoryId: "repo-1" }]);
    const trusted = await db.reader
      .selectFrom("trustedScripts")
      .select(["repositoryId", "hash"])
      .orderBy("hash")
      .execute();
    expect(trusted).toEqual([
      { repositoryId: "repo-1", hash: "a" },
      { repositoryId: "repo-1", hash: "b" },
    ]);
  });
});
