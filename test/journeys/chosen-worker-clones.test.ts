/** Waits for a chosen machine that clones first: what is heard of it, what Ctrl-C does, and what asking again makes. */
import { expect, setDefaultTimeout } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { httpApi } from "../helpers/http-api.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { teamJourney as journey } from "../helpers/team-journey.ts";
import { clonesBegun, clonesOf, LONG, other, uncloned } from "../helpers/uncloned-world.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

journey(
  "a chosen machine that clones for more than a minute is waited for, and what is heard of it is told",
  async () => {
    await using team = await uncloned(8);
    const { product, there, server } = team;
    const { name } = await other(team);
    // Its own fetches end first: only the clone meets a slow server.
    server.behave({ hang: true });
    const asked = ["run", "Change it", "--detach", "--json", "--agent", "writer", "--worker", name];
    const running = product.start(asked);
    const silent = `Waits for ${name} to clone the repository: no progress for 1 min.`;
    await waitFor("more than a minute", () => running.said().includes(silent), LONG);
    server.behave({ hang: false });
    server.release();
    const end = await running.end;
    expect([end.code, end.stderr]).toEqual([0, expect.stringContaining("Cloning http://127.0.0.1")]);
    const { tasks } = (await product.tazuna(["list", "--json"])).json<{ tasks: readonly { id: string }[] }>();
    expect(tasks).toHaveLength(1);
    expect(await clonesOf(product, there)).toHaveLength(1);
  },
);

journey("who presses Ctrl-C while a chosen machine clones is told that it goes on, and it does", async () => {
  await using team = await uncloned(8);
  const { product, there, server } = team;
  const { name } = await other(team);
  server.behave({ hang: true });
  const before = server.requests.length;
  const running = product.start(["run", "Change it", "--agent", "writer", "--worker", name]);
  await waitFor("the clone to be asked for", () => server.requests.length > before, LONG);
  running.kill("SIGINT");
  await waitFor("the words", () => running.said().includes(`${name} goes on, and begins the task.`), LONG);
  running.kill("SIGINT");
  expect((await running.end).code).toBe(130);
  server.behave({ hang: false });
  server.release();
  const listed = async () =>
    (await product.tazuna(["list", "--json"])).json<{ tasks: readonly { id: string }[] }>().tasks;
  const [task] = await waitFor("the task", async () => ((await listed()).length > 0 ? listed() : null), LONG);
  await waitFor(
    "its work",
    async () => (await ask(product, ["show", task?.id ?? ""], there)).run.status === "SUCCEEDED",
    LONG,
  );
});

journey("a wait whose own engine dies goes on at the next one, with word of the progress there", async () => {
  await using team = await uncloned(8);
  const { product, there, server } = team;
  const { name } = await other(team);
  server.behave({ hang: true });
  const before = server.requests.length;
  const running = product.start(["run", "Change it", "--detach", "--agent", "writer", "--worker", name]);
  await waitFor("the clone to be asked for", () => server.requests.length > before, LONG);
  const killed = await product.enginePid();
  await product.killEngine();
  await waitFor("the next engine", async () => ((await product.enginePid()) ?? killed) !== killed, LONG);
  server.behave({ hang: false });
  server.release();
  const end = await running.end;
  expect([end.code, end.stderr]).toEqual([0, expect.stringContaining("Cloning http://127.0.0.1")]);
  expect(await clonesOf(product, there)).toHaveLength(1);
});

/** Asks for a task in which the other machine clones, under one key; and what is there in the end. */
async function askedOnce(team: Awaited<ReturnType<typeof uncloned>>) {
  const { product, server, there } = team;
  const { name } = await other(team);
  const before = server.requests.length;
  const body = { repository: product.repository, issue: "Change it", agents: ["writer"], worker: name };
  const once = { key: "one-key" };
  const post = async (issue = body.issue) => {
    const { client } = await httpApi(product);
    return client.createTask({ ...body, issue }, once);
  };
  const hangs = () => waitFor("the clone to be asked for", () => server.requests.length > before, LONG);
  const made = async () => ({
    tasks: (await product.tazuna(["list", "--json"])).json<{ tasks: readonly object[] }>().tasks.length,
    clones: (await clonesOf(product, there)).length,
  });
  return { post, hangs, made };
}

journey("what is asked again under its key while a chosen machine clones is made once", async () => {
  await using team = await uncloned(8);
  const { product, server } = team;
  const { post, hangs, made } = await askedOnce(team);
  server.behave({ hang: true });
  const lost = [post(), post()];
  await hangs();
  // Whoever was asked dies. What it handed on goes on.
  await product.killEngine();
  for (const each of lost) expect((await each)._unsafeUnwrapErr().kind).toBe("unreachable");
  await product.tazuna(["list"]);
  const again = [post(), post()] as const;
  expect((await post("Something else"))._unsafeUnwrapErr()).toMatchObject({ code: "idempotency_key_reused" });
  server.behave({ hang: false });
  server.release();
  const { task, attempts } = (await again[0])._unsafeUnwrap();
  const { name } = await other(team);
  expect(attempts.map(({ worker }) => worker?.name)).toEqual([name]);
  expect((await again[1])._unsafeUnwrap().task.id).toBe(task.id);
  expect((await post())._unsafeUnwrap()).toEqual({ task, attempts });
  expect([await made(), await clonesBegun(team.database)]).toEqual([{ tasks: 1, clones: 1 }, 1]);
});

journey("what is asked again under its key after the machine that cloned has died is made once", async () => {
  await using team = await uncloned(8);
  const { product, server, there } = team;
  const { post, hangs, made } = await askedOnce(team);
  server.behave({ hang: true });
  const lost = post();
  await hangs();
  process.kill(await enginePid(there.env.TAZUNA_HOME ?? ""), "SIGKILL");
  expect((await lost)._unsafeUnwrapErr()).toMatchObject({ code: "outcome_unknown" });
  server.behave({ hang: false });
  await product.tazuna(["workers"], there);
  await waitFor("it to be back", async () => (await other(team)).state === "ready", LONG);
  const { task } = (await post())._unsafeUnwrap();
  expect((await post())._unsafeUnwrap().task.id).toBe(task.id);
  expect(await made()).toEqual({ tasks: 1, clones: 1 });
});

async function enginePid(home: string): Promise<number> {
  return JSON.parse(await readFile(join(home, "server.json"), "utf8")).pid;
}
