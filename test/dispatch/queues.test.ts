import { expect, test } from "bun:test";
import { isPresence, jobsSchema, LOST, lookQueue, presenceQueue } from "../../src/dispatch/queues.ts";
import { tellSeldom } from "../../src/dispatch/tell-seldom.ts";

const WORKER = "0193f2a0-7c1e-7b5a-9d3c-0123456789ab";

test("two schemas of ours never have their jobs in the same place", () => {
  const ours = [
    "public",
    "tazuna",
    "Tazuna",
    "taz-una",
    "a b",
    `long_${"x".repeat(50)}`,
    `long_${"x".repeat(51)}`,
  ];
  const theirs = ours.map(jobsSchema);
  expect(new Set(theirs).size).toBe(ours.length);
  for (const schema of theirs) expect(schema).toMatch(/^[a-z_][a-z0-9_]{0,49}$/);
  expect(ours.filter((schema) => theirs.includes(schema))).toEqual([]);
});

test("the names of queues are names that the package allows", () => {
  for (const { name } of [lookQueue(WORKER), presenceQueue(WORKER), LOST])
    expect(name).toMatch(/^[\w.\-/]+$/);
  expect([lookQueue(WORKER), presenceQueue(WORKER), LOST].map(isPresence)).toEqual([false, true, false]);
});

test("a fault is told at most once a minute for each kind, also if ids and numbers in it differ", () => {
  const told: unknown[] = [];
  let now = 0;
  const report = tellSeldom(
    (error) => told.push(error instanceof Error ? error.message : error),
    () => now,
  );
  report(new Error("connect ECONNREFUSED 127.0.0.1:5432"));
  report({ message: "connect ECONNREFUSED 127.0.0.1:5433 (Queue: lost, Worker: 1)", stack: "at it" });
  report(new Error(`job ${WORKER} is gone`));
  report(new Error(`job ${WORKER.replaceAll("0", "1")} is gone`));
  report("plain words");
  now = 59_999;
  report(new Error("connect ECONNREFUSED 127.0.0.1:5432"));
  expect(told).toEqual(["connect ECONNREFUSED 127.0.0.1:5432", `job ${WORKER} is gone`, "plain words"]);
  now = 60_000;
  report(new Error("connect ECONNREFUSED 127.0.0.1:5432"));
  expect(told.length).toBe(4);
});
