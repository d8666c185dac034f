/** Every call names who asks: the door finds that out, and no client can claim to be somebody else. */
import { expect, test } from "bun:test";
import { ok } from "neverthrow";
import { answerForwarded } from "../../src/api/http/answer-forwarded.ts";
import { createClient } from "../../src/contract/client/client.ts";
import { AGENT_HEADER } from "../../src/contract/client/http-call.ts";
import type { Actor } from "../../src/domain/actor.ts";
import type { AskedCall } from "../../src/domain/worker/asked.ts";
import { doorServer, TOKEN } from "../helpers/door-server.ts";

const OWNER: Actor = { kind: "owner", id: null, name: null };
const BOT: Actor = { kind: "token", id: "t", name: "bot" };
const LATER = "2100-01-01T00:00:00.000Z";
const FORGED = { [AGENT_HEADER]: "robot", "tazuna-actor": '{"kind":"person"}', "x-forwarded-user": "boss" };

test("the owner, a browser, an agent, a token and a person in a browser are told apart", async () => {
  await using door = doorServer();
  const { services } = door;
  services.world.tokens.set("bot-token", {
    id: "t",
    name: "bot",
    scope: "read",
    expiresAt: LATER,
    person: null,
  });
  const link = await door.api.signInLink(door.url);
  const signedIn = await door.bare(link.slice(door.url.length));
  const [cookie = ""] = (signedIn.headers.get("set-cookie") ?? "").split(";");
  await door.call("/api/v1/operations");
  await door.bare("/api/v1/operations", { headers: { cookie } });
  await createClient({ url: door.url, token: TOKEN, fetch, agent: () => "claude-code" }).operations();
  await createClient({ url: door.url, token: TOKEN, fetch, agent: () => null }).operations();
  await door.bare("/api/v1/operations", { headers: { authorization: "Bearer bot-token", ...FORGED } });
  await door.bare("/api/v1/operations", { headers: { cookie, ...FORGED } });
  const browser: Actor = { kind: "browser", id: "browser-1", name: null };
  const agent: Actor = { kind: "agent", id: null, name: "claude-code" };
  expect(services.actors).toEqual([OWNER, browser, agent, OWNER, BOT, browser]);
  const access = {
    id: "p",
    name: "ann@example.com",
    scope: "admin",
    expiresAt: LATER,
    person: null,
  } as const;
  await door.api.fetch(new Request(`${door.url}/api/v1/operations`), {
    asked: { caller: "browser", access },
  });
  expect(services.actors.at(-1)).toEqual({ kind: "person", id: "p", name: "ann@example.com" });
});

test("a token says whose it is, if it is a person's", async () => {
  await using door = doorServer();
  const person = { id: "p", email: "ann@example.com", role: "member" } as const;
  door.services.world.tokens.set("hers", { id: "t", name: "bot", scope: "read", expiresAt: LATER, person });
  await door.bare("/api/v1/operations", { headers: { authorization: "Bearer hers" } });
  expect(door.services.actors).toEqual([{ ...BOT, name: "bot of ann@example.com" }]);
});

test("on a team the owner is that of a machine, and a database that is away keeps no call from its answer", async () => {
  await using door = doorServer();
  door.services.ownName = async () => "mac-7";
  await door.call("/api/v1/operations");
  door.services.ownName = () => Promise.reject(new Error("away"));
  expect((await door.call("/api/v1/operations")).status).toBe(200);
  expect(door.services.actors).toEqual([{ ...OWNER, name: "mac-7" }, OWNER]);
});

test("a call that is handed on keeps its actor, which comes with the request and from no header", async () => {
  await using door = doorServer();
  const asked: AskedCall[] = [];
  door.services.askOther = async (_, given) => {
    asked.push(given);
    return ok({ status: 200, type: "application/json", body: "e30=" });
  };
  const write = { id: "t", name: "bot", scope: "publish", expiresAt: LATER, person: null } as const;
  door.services.world.tokens.set("bot-token", write);
  door.services.elsewhere.set("operation o", { id: "worker-2", name: "ci-2" });
  await door.bare("/api/v1/operations/o/undo", {
    method: "POST",
    headers: { authorization: "Bearer bot-token", "content-type": "application/json", ...FORGED },
    body: "{}",
  });
  expect(asked.map(({ actor }) => actor)).toEqual([BOT]);
  await using there = doorServer();
  const [call] = asked;
  if (call === undefined) throw new Error("nothing was handed on");
  await answerForwarded(there.api, call);
  expect(there.services.actors).toEqual([BOT]);
  // One of an older worker names nobody, and is not taken for the owner of this machine.
  await answerForwarded(there.api, { ...call, actor: null });
  expect(there.services.actors).toEqual([BOT]);
});

test("what an agent calls itself is one short line", async () => {
  await using door = doorServer();
  const name = `a\u202e${"b".repeat(200)}`;
  await door.call("/api/v1/operations", { headers: { [AGENT_HEADER]: encodeURI(name) } });
  const [actor] = door.services.actors;
  expect([actor?.kind, actor?.name?.length]).toEqual(["agent", 60]);
});
