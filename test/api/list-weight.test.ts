/** Holds that lists are light: of what a check printed they show the end alone. */
import { expect, test } from "bun:test";
import { doorServer } from "../helpers/door-server.ts";
import { aCheck, anAttempt, aRepository, aRun, aTask } from "../helpers/sample-documents.ts";

test("a list shows the last thousand characters of a check's output, a single document all of it", async () => {
  await using door = doorServer();
  const output = `${"x".repeat(15_990)}the end`;
  const run = aRun({ checks: [aCheck({ output })] });
  door.services.add({
    task: aTask(),
    repository: aRepository(),
    attempts: [{ attempt: anAttempt(), runs: [run] }],
  });
  const { client } = door;
  const task = (await client.task(aTask().id))._unsafeUnwrap();
  const attempt = (await client.attempt(anAttempt().id))._unsafeUnwrap();
  const alone = (await client.run(run.id))._unsafeUnwrap();
  for (const { runs } of [task.attempts[0] ?? { runs: [] }, attempt, { runs: [alone] }])
    expect(runs[0]?.checks[0]?.log).toBe(output);
  const tasks = (await client.tasks())._unsafeUnwrap().items;
  const attempts = (await client.attempts())._unsafeUnwrap().items;
  const runs = (await client.runs())._unsafeUnwrap().items;
  for (const { checks } of [
    ...tasks.flatMap((one) => one.attempts[0]?.runs ?? []),
    ...(attempts[0]?.runs ?? []),
    ...runs,
  ])
    expect(checks[0]?.log).toBe(output.slice(-1_000));
  expect([tasks.length, attempts.length, runs.length]).toEqual([1, 1, 1]);
});
