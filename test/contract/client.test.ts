import { describe, expect, test } from "bun:test";
import { createClient } from "../../src/contract/client/client.ts";
import type { FactDocument } from "../../src/contract/endpoints/operations.ts";
import { doorServer, TOKEN } from "../helpers/door-server.ts";
import { memoryServices } from "../helpers/memory-services.ts";
import { anAttempt, aRepository, aRun, aTask } from "../helpers/sample-documents.ts";
import { waitFor } from "../helpers/wait-for.ts";

const pages =
  (body: string, type: string, status = 200) =>
  async () =>
    new Response(body, { status, headers: { "content-type": type } });

describe("calls that do not succeed", () => {
  test("a server that is not there is unreachable", async () => {
    const door = doorServer();
    await door.stop();
    const error = (await door.client.health())._unsafeUnwrapErr();
    expect([error.kind, error.code]).toEqual(["unreachable", "server_unreachable"]);
  });

  test.each([
    ["another program's page", pages("<html>", "text/html")],
    ["another program's error", pages("no", "text/plain", 502)],
    ["another program's JSON", pages('{"hello":1}', "application/json")],
    ["half a problem", pages('{"code":"x"}', "application/problem+json", 400)],
  ])("%s is not understood, and says so", async (_, fetch) => {
    const client = createClient({ url: "http://127.0.0.1:1", token: null, fetch });
    const error = (await client.health())._unsafeUnwrapErr();
    expect([error.kind, error.code]).toEqual(["internal", "unexpected_answer"]);
  });

  test("a server in the same process is called without a socket", async () => {
    await using door = doorServer();
    const fetch = (url: string, init: RequestInit) =>
      door.api.fetch(new Request(url, { ...init, headers: { host: door.host, ...init.headers } }));
    const client = createClient({ url: door.url, token: TOKEN, fetch });
    expect((await client.health())._unsafeUnwrap()).toEqual({ name: "tazuna", version: "1.2.3" });
  });

  test("what a newer server adds is passed over", async () => {
    const fetch = pages('{"name":"tazuna","version":"9","more":1}', "application/json");
    const client = createClient({ url: "http://127.0.0.1:1", token: null, fetch });
    expect((await client.health())._unsafeUnwrap()).toEqual({ name: "tazuna", version: "9" });
  });
});

describe("the environment of the caller's shell", () => {
  const shell = { id: "0b1c2d3e-4f50-4a61-8b72-8394a5b6c7d8", variables: [["A", "1"]] as const };
  const task = { repository: "/r", issue: "Do it", agents: ["demo"] };

  test("is handed over before the first call that it holds for, and again if the server forgot it", async () => {
    await using door = doorServer();
    const client = createClient({ url: door.url, token: TOKEN, fetch, shell });
    await client.tasks({ cursor: null, limit: 1, all: false });
    expect(door.services.environments.size).toBe(0);
    await Promise.all([client.createTask(task), client.agents({ repository: null, settings: {} })]);
    door.services.environments.clear();
    expect((await client.createTask(task)).isOk()).toBe(true);
    expect(door.services.environments.get(shell.id)).toEqual({ A: "1" });
    expect(door.services.created).toHaveLength(2);
  });

  test("is left out if a server of an older version takes none", async () => {
    await using door = doorServer();
    const older = (url: string, init: RequestInit) =>
      url.endsWith("/environments")
        ? fetch(`${door.url}/api/v1/nothing-here`, init)
        : fetch(url, { ...init, headers: { ...withoutShell(init.headers) } });
    const client = createClient({ url: door.url, token: TOKEN, fetch: older, shell });
    expect((await client.createTask(task)).isOk()).toBe(true);
  });

  const withoutShell = (headers: RequestInit["headers"]) =>
    Object.fromEntries([...new Headers(headers)].filter(([name]) => name !== "tazuna-environment"));
});

describe("following facts", () => {
  /** A server that cuts every stream after so many bytes, wherever that falls. */
  function cutting(url: string, bytes: number) {
    let cuts = 0;
    const cut = async (to: string, init: RequestInit) => {
      const response = await fetch(to, init);
      if (!to.includes("/events")) return response;
      cuts += 1;
      let left = bytes;
      const body = response.body?.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, controller) {
            controller.enqueue(chunk.subarray(0, left));
            left -= chunk.byteLength;
            if (left <= 0) controller.error(new Error("cut"));
          },
        }),
      );
      return new Response(body ?? null, response);
    };
    return { client: createClient({ url, token: TOKEN, fetch: cut }), cuts: () => cuts };
  }

  test("takes a cut stream up again: every fact once, in order", async () => {
    await using door = doorServer();
    const { client, cuts } = cutting(door.url, 700);
    const seen: number[] = [];
    const stop = new AbortController();
    for (let i = 0; i < 20; i += 1) door.services.addFact({});
    const following = client.followFacts({
      after: 0,
      signal: stop.signal,
      onOpen: () => {},
      onFact: ({ seq }) => void seen.push(seq),
    });
    await waitFor("all facts", () => seen.length >= 20);
    stop.abort();
    expect((await following).reason).toBe("aborted");
    expect(seen).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(cuts()).toBeGreaterThan(2);
  });

  test("a stream that may not be reopened is lost, with the number to go on from", async () => {
    await using door = doorServer();
    const facts: FactDocument[] = [];
    const following = door.client.followFacts({
      after: null,
      signal: new AbortController().signal,
      retries: 0,
      onOpen: () => door.services.addFact({ kind: "x" }),
      onFact: (fact) => void facts.push(fact),
    });
    await waitFor("the fact", () => facts.length === 1);
    await door.stop();
    expect(await following).toMatchObject({ reason: "lost", lastId: "1", error: { kind: "unreachable" } });
  });

  test("a token that is not accepted ends it at once", async () => {
    await using door = doorServer();
    const client = createClient({ url: door.url, token: "wrong", fetch });
    const end = await client.followFacts({
      after: null,
      signal: new AbortController().signal,
      onOpen: () => {},
      onFact: () => {},
    });
    expect(end).toMatchObject({ reason: "lost", error: { code: "token_required" } });
  });

  test("abort ends it while it waits", async () => {
    await using door = doorServer();
    const stop = new AbortController();
    let open = false;
    const following = door.client.followFacts({
      after: null,
      signal: stop.signal,
      onOpen: () => {
        open = true;
      },
      onFact: () => {},
    });
    await waitFor("the stream", () => open);
    stop.abort();
    expect((await following).reason).toBe("aborted");
    await waitFor("the server to notice", () => door.api.openStreams() === 0);
  });
});

describe("following a log", () => {
  test("ends once the run has ended", async () => {
    const services = memoryServices();
    services.add({
      task: aTask(),
      repository: aRepository(),
      attempts: [{ attempt: anAttempt(), runs: [aRun()] }],
    });
    await using door = doorServer({ services });
    const line = (n: number) => ({ n, at: null, source: "stderr" as const, event: { text: `l${n}` } });
    services.addLog("run-1", [line(1), line(2)]);
    const seen: string[] = [];
    const following = door.client.followLog("run-1", {
      after: null,
      signal: new AbortController().signal,
      onLine: ({ event }) => void seen.push(String(event.text)),
    });
    await waitFor("the first lines", () => seen.length === 2);
    services.addLog("run-1", [line(3)], { ended: true });
    expect(await following).toEqual({ reason: "ended", lastId: "3" });
    expect(seen).toEqual(["l1", "l2", "l3"]);
  });
});
