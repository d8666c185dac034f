/** Tells who may invite a worker, and that the address by which it joins answers everybody a little, and guesses not at all. */
import { expect, test } from "bun:test";
import { doorServer } from "../helpers/door-server.ts";

const SECRET = `tzj_${"a".repeat(43)}`;
const WORKER = {
  worker: "0190b6a0-0000-7000-8000-000000000001",
  name: "mac-7",
  host: "mac-7.local",
  version: "0.1.0",
  protocol: 1,
  slots: 8,
};
const UNKNOWN = {
  kind: "not_found",
  code: "invite_unknown",
  message: "Unknown.",
  remedy: "Copy it.",
  details: {},
} as const;

const post = (body: unknown) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

test("only who may do everything invites, and the answer leads to where the server is reached", async () => {
  await using door = doorServer();
  for (const scope of ["read", "write", "publish", "admin"] as const)
    door.services.world.tokens.set(scope, {
      id: scope,
      name: scope,
      person: null,
      scope,
      expiresAt: "2999-01-01T00:00:00.000Z",
    });
  const ask = async (token: string) => {
    const { headers, ...rest } = post({});
    const authorization = `Bearer ${token}`;
    return (
      await door.bare("/api/v1/workers/invitations", { ...rest, headers: { ...headers, authorization } })
    ).status;
  };
  expect([await ask("read"), await ask("write"), await ask("publish"), await ask("admin")]).toEqual([
    403, 403, 403, 201,
  ]);
  expect((await door.bare("/api/v1/workers/invitations", post({}))).status).toBe(401);
  const made = await door.client.inviteWorker();
  expect(made._unsafeUnwrap()).toEqual({
    url: `${door.url}/join/tzj_x`,
    command: `tazuna worker --join ${door.url}/join/tzj_x`,
    expires_at: "2026-01-02T12:15:00.000Z",
    local_server: true,
    local_database: false,
  });
});

test("a worker needs no token to ask and to join, and what it sends is checked", async () => {
  await using door = doorServer();
  const path = `/api/v1/join/${SECRET}`;
  expect(await (await door.bare(path)).json()).toMatchObject({
    protocol: 1,
    now: "2026-01-02T12:00:00.000Z",
  });
  const joined = await door.bare(path, post(WORKER));
  expect([joined.status, await joined.json()]).toEqual([
    200,
    { name: SECRET, database: "postgres://db.example/tazuna", shared: false },
  ]);
  for (const change of [
    { name: "Mac 7" },
    { name: "a".repeat(41) },
    { worker: "../worker" },
    { slots: 0 },
    { protocol: "1" },
    { more: true },
  ])
    expect((await door.bare(path, post({ ...WORKER, ...change }))).status).toBe(400);
  expect((await door.bare(path, post({ ...WORKER, host: "h".repeat(5_000) }))).status).toBe(413);
});

test("whoever guesses invitations is answered with 429 soon, and a right one still passes", async () => {
  await using door = doorServer();
  const path = `/api/v1/join/${SECRET}`;
  const statuses = async (count: number, init?: RequestInit) => {
    const found = [];
    for (let i = 0; i < count; i += 1) found.push((await door.bare(path, init)).status);
    return [...new Set(found)];
  };
  door.services.refuse("joinOffer", UNKNOWN, true);
  door.services.refuse("admitWorker", UNKNOWN, true);
  expect([await statuses(15), await statuses(15, post(WORKER))]).toEqual([[404], [404]]);
  expect([await statuses(3), await statuses(3, post(WORKER))]).toEqual([[429], [429]]);
  door.services.refuse("joinOffer", null, true);
  expect(await statuses(1)).toEqual([200]);
});
