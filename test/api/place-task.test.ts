/** Hands the creation of a task on to the worker on which it begins, and takes what others hand on. */
import { expect, test } from "bun:test";
import { err, ok } from "neverthrow";
import { answerForwarded } from "../../src/api/http/answer-forwarded.ts";
import { refuse } from "../../src/services/core/refusal.ts";
import type { AskedAnswer, AskedCall, PlaceOfTask } from "../../src/services/core/screen-shapes.ts";
import { type DoorServer, doorServer } from "../helpers/door-server.ts";

const OTHER = { id: "worker-2", name: "ci-2" };
const PLACE: PlaceOfTask = { worker: OTHER, repository: "repo 2", orHere: true, clones: false };
const BODY = { repository: "/home/me/shop", issue: "Fix it.", agents: ["demo"] };

const create = (door: DoorServer, key = "key-1", query = "") =>
  door.call(`/api/v1/tasks${query}`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify(BODY),
  });
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a document.
const json = async (response: Response | Promise<Response>) => (await (await response).json()) as any;
const answered = (document: unknown, status: number): AskedAnswer => ({
  status,
  type: status < 400 ? "application/json" : "application/problem+json",
  body: Buffer.from(JSON.stringify(document)).toString("base64"),
});
const created = (door: DoorServer) => door.services.created.map(({ repository }) => repository);

test("a task is handed on as it was asked for, with its key, and the place that was chosen", async () => {
  await using door = doorServer();
  door.services.world.place = PLACE;
  const asked: AskedCall[] = [];
  door.services.askOther = async (worker, call) => {
    expect(worker).toEqual(OTHER);
    asked.push(call);
    return ok(answered({ task: { id: "t" }, attempts: [{ id: "a", worker: null }] }, 201));
  };
  const response = await create(door, "key-1", "?placed=other");
  expect([response.status, await json(response)]).toEqual([
    201,
    { task: { id: "t" }, attempts: [{ id: "a", worker: OTHER }] },
  ]);
  expect(asked).toEqual([
    {
      method: "POST",
      path: "/api/v1/tasks?placed=repo+2",
      body: JSON.stringify(BODY),
      idempotencyKey: "key-1",
      caller: "program",
      access: null,
      actor: { kind: "owner", id: null, name: null },
    },
  ]);
  expect(created(door)).toEqual([]);
});

test("what another worker placed begins here, in the repository that it named, and goes no further", async () => {
  await using here = doorServer();
  await using there = doorServer();
  const { services } = there;
  here.services.world.place = PLACE;
  services.world.place = { ...PLACE, repository: "repo 3" };
  services.askOther = async () => {
    throw new Error("it was handed on twice");
  };
  here.services.askOther = async (_, call) => ok(await answerForwarded(there.api, call));
  const [first, again] = [await json(create(here)), await json(create(here))];
  expect([created(there), created(here), again]).toEqual([["repo 2"], [], first]);
  // A caller from outside names no place.
  services.world.place = null;
  expect((await create(there, "key-2", "?placed=other")).status).toBe(201);
  expect(created(there)).toEqual(["repo 2", "/home/me/shop"]);
});

test("a task that the other worker refuses, or does not begin, begins here if it may", async () => {
  await using door = doorServer();
  const { services } = door;
  services.world.place = PLACE;
  const refusal = { remedy: "Look.", details: {} };
  const ends = {
    refused: ok(answered({ code: "scripts_not_trusted" }, 409)),
    silent: err(refuse("failed", "worker_silent", "It is silent.", refusal)),
    unknown: err(refuse("failed", "outcome_unknown", "Nobody knows.", refusal)),
    broken: ok(answered({ code: "internal" }, 500)),
  };
  const statuses = async (place: PlaceOfTask) => {
    services.world.place = place;
    const found: Record<string, number> = {};
    for (const [name, end] of Object.entries(ends)) {
      services.askOther = async () => end;
      found[name] = (await create(door, `${name} ${place.orHere}`.replace(" ", "-"))).status;
    }
    return found;
  };
  // If it may have begun there, it does not begin here too.
  expect(await statuses(PLACE)).toEqual({ refused: 201, silent: 201, unknown: 422, broken: 500 });
  expect(created(door)).toHaveLength(2);
  expect(await statuses({ ...PLACE, orHere: false })).toEqual({
    refused: 409,
    silent: 422,
    unknown: 422,
    broken: 500,
  });
  expect(created(door)).toHaveLength(2);
});

test("a worker that was chosen and cannot is refused, and nothing begins", async () => {
  await using door = doorServer();
  door.services.refuse(
    "placeOfTask",
    refuse("conflict", "worker_unfit", "It has no clone.", { remedy: "Clone it there." }),
  );
  const response = await create(door);
  expect([response.status, (await json(response)).code, created(door)]).toEqual([409, "worker_unfit", []]);
});
