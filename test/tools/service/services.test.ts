import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { createServer } from "node:net";
import { failure } from "../../../src/tools/core/result.ts";
import type { ToolProgress } from "../../../src/tools/core/tool.ts";
import { startService } from "../../../src/tools/service/service.ts";
import { servicesOfContext } from "../../../src/tools/service/services.ts";
import { LINUX } from "../../helpers/need.ts";
import { program } from "../../helpers/programs.ts";
import { deep } from "../../helpers/tier.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { freePort, serverOn, serviceWorld } from "./service-world.ts";

// Real processes on a busy machine.
setDefaultTimeout(240_000);

const SLEEPER = { command: ["sleep", "300"], ready_after_ms: 0 } as const;

describe("spawn_service", () => {
  test("seed 001 §3.3 and §9: spawn_service starts a server in the background and answers when it listens on its port", async () => {
    await using world = await serviceWorld();
    const port = await freePort();
    const { pid, started_at, output, cursor, ...record } = await world.spawn({
      name: "web",
      cwd: ".",
      command: serverOn(port, 300),
      port,
    });
    expect(record).toEqual({
      name: "web",
      status: "running",
      cwd: world.root,
      command: [...serverOn(port, 300)],
      port,
      exit_code: null,
      ended_at: null,
    });
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("hello");
    expect(Math.abs(Date.now() - Date.parse(started_at))).toBeLessThan(120_000);
    expect([pid > 0, output.startsWith("starting\n"), cursor >= output.length]).toEqual([true, true, true]);
    expect(await world.list()).toMatchObject([{ name: "web", status: "running", port, pid }]);
  });

  test("answers when a text was printed, to either stream, in one piece or in many", async () => {
    await using world = await serviceWorld();
    const text = { name: "text", command: serverOn(0), ready_text: "listening on " };
    expect((await world.spawn(text)).output).toContain("starting\nlistening on ");
    const script = "printf 'rea'; sleep 0.1; printf 'dy: あ'; sleep 300";
    const split = await world.spawn({
      name: "split",
      command: ["sh", "-c", script],
      ready_text: "ready: あ",
    });
    expect(split.output).toBe("ready: あ");
  });

  test("waits for port and text if both are given", async () => {
    await using world = await serviceWorld();
    const port = await freePort();
    const both = { name: "both", command: serverOn(port), port, ready_text: "listening on" };
    expect((await world.spawn(both)).output).toContain("listening on");
    const never = { name: "never", command: ["sh", "-c", "echo up; sleep 300"], port: await freePort() };
    const { code } = await world.refusal("spawn_service", {
      ...never,
      ready_text: "up",
      ready_timeout_ms: 500,
    });
    expect(code).toBe("NOT_READY");
  });

  test("without port and text it answers when the service has lived for a while", async () => {
    await using world = await serviceWorld();
    const began = performance.now();
    expect((await world.spawn({ name: "a", command: ["sleep", "300"] })).status).toBe("running");
    expect(performance.now() - began).toBeGreaterThanOrEqual(490);
    const brief = { name: "b", command: ["sh", "-c", "sleep 0.1"], ready_after_ms: 10_000 };
    const { code } = await world.refusal("spawn_service", brief);
    expect(code).toBe("SERVICE_ENDED");
  });

  test("the time to get ready is for port and text: it does not stop a service that lives longer", async () => {
    await using world = await serviceWorld();
    const patient = { name: "a", command: ["sleep", "300"], ready_after_ms: 700, ready_timeout_ms: 100 };
    expect((await world.spawn(patient)).status).toBe("running");
  });

  test("one that is stopped while it starts says so", async () => {
    await using world = await serviceWorld();
    const call = world.refusal("spawn_service", { name: "web", ...SLEEPER, port: await freePort() });
    await waitFor("the stop", () => world.stop("web").catch(() => null));
    expect(await call).toMatchObject({
      code: "SERVICE_ENDED",
      message: "web was stopped before it was ready. It said nothing.",
    });
    const failing = world.refusal("spawn_service", {
      name: "x",
      command: ["tazuna-no-such"],
      shell_mode: "direct",
    });
    expect((await world.refusal("stop_service", { name: "x" })).message).toBe(
      "There is no service called x; there are web.",
    );
    expect((await failing).code).toBe("COMMAND_NOT_FOUND");
  });

  test("one that is just being started is found as soon as it is there", async () => {
    await using world = await serviceWorld();
    const services = servicesOfContext.make();
    const go = Promise.withResolvers<void>();
    const argv = ["sleep", "300"];
    const place = { cwd: world.root, place: world.root };
    const request = { name: "web", ...place, command: argv, argv, env: process.env, port: null };
    const starting = services.start(request, async () => {
      await go.promise;
      return (await startService(request)).mapErr(({ message }) => failure("INTERNAL", message));
    });
    const [found, missing] = [services.find("web"), services.find("db")];
    expect((await missing)._unsafeUnwrapErr().message).toBe("There is no service called db; there are none.");
    go.resolve();
    expect(await found).toEqual(await starting);
    await services.close();
  });

  test("a service that dies while it starts fails with its exit code and last words; its log stays", async () => {
    await using world = await serviceWorld();
    const command = ["sh", "-c", "echo out; echo 'EADDRINUSE' >&2; exit 3"];
    const refusal = await world.refusal("spawn_service", { name: "web", command, port: await freePort() });
    expect(refusal).toMatchObject({ code: "SERVICE_ENDED", details: { exit_code: 3 } });
    expect(refusal.message).toStartWith("web ended with exit code 3 before it was ready. Its last words:\n");
    expect(refusal.message).toContain("EADDRINUSE");
    expect(await world.logs("web", { stream: "stderr" })).toMatchObject({
      status: "exited",
      text: "EADDRINUSE\n",
    });
    expect(await world.list()).toMatchObject([{ name: "web", status: "exited", exit_code: 3 }]);
    expect((await world.spawn({ name: "web", ...SLEEPER })).status).toBe("running");
  });

  test.skipIf(LINUX.missing)(
    `one that is not ready in time is stopped with its whole tree, and says what it said${LINUX.why}`,
    async () => {
      await using world = await serviceWorld();
      for (const name of ["hold-pipe.sh", "escape-session.sh"]) {
        const slow = { name: "slow", command: [program(name)], ready_text: "never", ready_timeout_ms: 1000 };
        const refusal = await world.refusal("spawn_service", slow);
        expect(refusal.code).toBe("NOT_READY");
        expect(refusal.message).toContain("started");
        expect(await world.left()).toEqual([]);
      }
    },
  );

  test("a port that is taken already is refused by name, before anything is started", async () => {
    await using world = await serviceWorld();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const taken = await world.refusal("spawn_service", { name: "web", command: ["touch", "ran"], port });
    expect([taken.code, taken.message]).toEqual([
      "PORT_IN_USE",
      `Port ${port} is taken already, by another program.`,
    ]);
    server.close();
    const mine = await freePort();
    await world.spawn({ name: "web", command: serverOn(mine), port: mine });
    const again = await world.refusal("spawn_service", { name: "web2", command: serverOn(mine), port: mine });
    expect([again.code, again.message]).toEqual([
      "PORT_IN_USE",
      `Port ${mine} is taken already, by the service web.`,
    ]);
    expect((await world.list()).map(({ name }) => name)).toEqual(["web"]);
  });

  test("names are unique among the living, also for two calls at once; an ended one gives its name free", async () => {
    await using world = await serviceWorld();
    const calls = await Promise.all(
      [1, 2, 3].map(() => world.toolkit.invoke("spawn_service", { name: "one", ...SLEEPER })),
    );
    const codes = calls.map((result) => (result.status === "success" ? "success" : result.error.code));
    expect(codes.toSorted()).toEqual(["NAME_IN_USE", "NAME_IN_USE", "success"]);
    await world.stop("one");
    expect((await world.spawn({ name: "one", ...SLEEPER })).status).toBe("running");
    expect((await world.list()).length).toBe(1);
  });

  test("at most 16 live at once, and as many that ended are remembered", async () => {
    await using world = await serviceWorld();
    const spawned = await Promise.all(
      Array.from({ length: 16 }, (_, n) => world.spawn({ name: `s${n}`, ...SLEEPER })),
    );
    expect(spawned.map(({ status }) => status)).toEqual(Array(16).fill("running"));
    expect((await world.refusal("spawn_service", { name: "more", ...SLEEPER })).code).toBe(
      "TOO_MANY_SERVICES",
    );
    await Promise.all(spawned.map(({ name }) => world.stop(name)));
    for (let n = 0; n < 3; n++) await world.spawn({ name: `t${n}`, ...SLEEPER });
    for (let n = 0; n < 3; n++) await world.stop(`t${n}`);
    await world.spawn({ name: "last", ...SLEEPER });
    const names = (await world.list()).map(({ name }) => name);
    expect([names.length, names.slice(-4)]).toEqual([17, ["t0", "t1", "t2", "last"]]);
  });

  test("what cannot be started has the codes of exec_command, and leaves no record", async () => {
    await using world = await serviceWorld();
    const codeOf = async (args: object) =>
      (await world.refusal("spawn_service", { name: "x", ...args })).code;
    expect(await codeOf({ command: ["tazuna-no-such"], shell_mode: "direct" })).toBe("COMMAND_NOT_FOUND");
    expect(await codeOf({ command: ["true"], cwd: "missing" })).toBe("NOT_DIRECTORY");
    expect(await codeOf({ command: ["true"], cwd: ".." })).toBe("OUTSIDE_WORKSPACE");
    expect(await codeOf({ command: ["echo", "x".repeat(4_000_000)] })).toBe("INVALID_ARGUMENT");
    expect(await world.list()).toEqual([]);
    const shell = await world.refusal("spawn_service", { name: "x", command: ["tazuna-no-such"] });
    expect([shell.code, shell.message.includes("exit code 127")]).toEqual(["SERVICE_ENDED", true]);
  });

  test("wrong arguments are refused by name", async () => {
    await using world = await serviceWorld();
    const wrong: readonly object[] = [
      {},
      { name: "a" },
      { name: "", command: ["true"] },
      { name: "a b", command: ["true"] },
      { name: "-a", command: ["true"] },
      { name: "a".repeat(65), command: ["true"] },
      { name: "a", command: [] },
      { name: "a", command: "true" },
      { name: "a", command: ["true"], port: 0 },
      { name: "a", command: ["true"], port: 65_536 },
      { name: "a", command: ["true"], port: "80" },
      { name: "a", command: ["true"], ready_text: "" },
      { name: "a", command: ["true"], ready_timeout_ms: 0 },
      { name: "a", command: ["true"], ready_after_ms: -1 },
      { name: "a", command: ["true"], cwd: "" },
      { name: "a", command: ["true"], env: {} },
    ];
    for (const args of wrong)
      expect([args, (await world.refusal("spawn_service", args)).code]).toEqual([args, "INVALID_ARGUMENT"]);
    const long = { name: "a", command: ["true"], ready_text: "x".repeat(1001) };
    expect((await world.refusal("spawn_service", long)).message).toBe(
      "ready_text: must not be longer than 1000 characters.",
    );
    expect((await world.refusal("get_service_logs", { name: "a", max_chars: 99 })).code).toBe(
      "INVALID_ARGUMENT",
    );
    expect((await world.refusal("get_service_logs", { name: "a", after: -1 })).code).toBe("INVALID_ARGUMENT");
    expect((await world.refusal("stop_service", { name: "a", grace_ms: 1.5 })).code).toBe("INVALID_ARGUMENT");
    expect((await world.refusal("list_services", { all: true })).code).toBe("INVALID_ARGUMENT");
  });

  test("a caller who changes their mind stops it: CANCELED, and nothing is left", async () => {
    await using world = await serviceWorld();
    const changedMind = new AbortController();
    const waiting = { name: "web", command: ["sh", "-c", "echo up; sleep 300"], ready_text: "never" };
    const call = world.refusal("spawn_service", waiting, { signal: changedMind.signal });
    await waitFor("the service to start", async () => (await world.list()).length > 0);
    changedMind.abort();
    expect((await call).code).toBe("CANCELED");
    expect(await world.left()).toEqual([]);
    const before = await world.refusal(
      "spawn_service",
      { name: "x", ...SLEEPER },
      { signal: AbortSignal.abort() },
    );
    expect([before.code, (await world.list()).map(({ name }) => name)]).toEqual(["CANCELED", ["web"]]);
  });

  test(deep("a door is told every second what is waited for"), async () => {
    await using world = await serviceWorld();
    const told: ToolProgress[] = [];
    const script = "sleep 2.5; echo go; sleep 300";
    const slow = { name: "slow", command: ["sh", "-c", script], ready_text: "go" };
    await world.spawn(slow, { onProgress: (progress) => told.push(progress) });
    expect(told.length).toBeGreaterThanOrEqual(1);
    expect(told[0]?.message).toMatch(/^\d+ s, waiting for "go"$/);
  });
});

describe("a context that guards git", () => {
  test("judges a service that is a call of git as exec_command does", async () => {
    await using world = await serviceWorld({ git: "guarded" });
    for (const command of [
      ["git", "push", "--force"],
      ["env", "git", "reset", "--hard"],
    ]) {
      const args = { cwd: ".", command };
      const asCommand = await world.refusal("exec_command", args);
      const asService = await world.refusal("spawn_service", { ...args, name: "git" });
      expect(asService).toEqual(asCommand);
      expect(asService.code).toBe("DESTRUCTIVE_BLOCKED");
    }
    expect((await world.spawn({ name: "other", ...SLEEPER })).status).toBe("running");
  });
});

describe("read-only", () => {
  test("refuses to start and to stop, and lets look", async () => {
    await using world = await serviceWorld({ writeScope: "read-only" });
    expect((await world.refusal("spawn_service", { name: "a", ...SLEEPER })).code).toBe("READ_ONLY");
    expect((await world.refusal("stop_service", { name: "a" })).code).toBe("READ_ONLY");
    expect(await world.list()).toEqual([]);
    expect((await world.refusal("get_service_logs", { name: "a" })).code).toBe("NOT_FOUND");
  });
});

describe("list_services and get_service_logs", () => {
  test("seed 001 §3.3: list_services lists a service that ended by itself, with its exit code and end", async () => {
    await using world = await serviceWorld();
    await world.spawn({
      name: "short",
      command: ["sh", "-c", "sleep 0.5; kill -TERM $$"],
      ready_after_ms: 0,
    });
    const [record] = await waitFor("its end", async () => {
      const records = await world.list();
      return records[0]?.status === "exited" && records;
    });
    expect(record).toMatchObject({ name: "short", status: "exited", exit_code: 143 });
    expect(Date.parse(record?.ended_at ?? "")).toBeGreaterThanOrEqual(Date.parse(record?.started_at ?? ""));
  });

  test("what a service prints is read on from the cursor, each stream by itself too", async () => {
    await using world = await serviceWorld();
    const port = await freePort();
    const { cursor } = await world.spawn({
      name: "web",
      command: serverOn(port),
      port,
      ready_text: "listening",
    });
    await fetch(`http://127.0.0.1:${port}/log?${encodeURIComponent("手綱 🐎")}`);
    const page = await waitFor("the line", async () => {
      const logs = await world.logs("web", { after: cursor, stream: "stdout" });
      return logs.text !== "" && logs;
    });
    expect(page).toMatchObject({
      name: "web",
      status: "running",
      exit_code: null,
      text: "手綱 🐎\n",
      more: false,
    });
    expect((await world.logs("web", { after: page.cursor })).text).toBe("");
    expect((await world.logs("web", { stream: "stderr" })).text).toBe(`listening on ${port}\n`);
  });

  test("seed 001 §9: get_service_logs is bounded: endless output keeps the newest, and says how much is gone", async () => {
    await using world = await serviceWorld();
    await world.spawn({ name: "loud", command: ["yes", "0123456789"], ready_text: "9" });
    const logs = await waitFor("the log to be full", async () => {
      const page = await world.logs("loud", { after: 0, max_chars: 1_000_000 });
      return page.dropped_chars > 2_000_000 && page;
    });
    expect(logs.text.length).toBeGreaterThan(700_000);
    const { text } = await world.logs("loud", { max_chars: 110 });
    expect([text.length, text.replaceAll(/\d|\n/g, "")]).toEqual([110, ""]);
    expect((await world.stop("loud")).status).toBe("stopped");
  });

  test("an unknown name is NOT_FOUND, with those that there are", async () => {
    await using world = await serviceWorld();
    expect((await world.refusal("stop_service", { name: "web" })).message).toBe(
      "There is no service called web; there are none.",
    );
    await world.spawn({ name: "db", ...SLEEPER });
    expect(await world.refusal("get_service_logs", { name: "web" })).toEqual({
      code: "NOT_FOUND",
      message: "There is no service called web; there are db.",
      details: { known: ["db"] },
    });
  });
});

describe.skipIf(LINUX.missing)(`stop_service${LINUX.why}`, () => {
  for (const name of ["hold-pipe.sh", "escape-session.sh", "ignore-term.sh"])
    test(`seed 001 §3.3: stop_service stops the whole tree, and counts it: ${name}`, async () => {
      await using world = await serviceWorld();
      await world.spawn({ name: "tree", command: [program(name)], ready_text: "started" });
      await waitFor("the tree to grow", async () => (await world.left()).length >= 2);
      const stopped = await world.stop("tree", { grace_ms: 200 });
      expect([stopped.status, stopped.stopped_processes >= 2]).toEqual(["stopped", true]);
      expect(await world.left()).toEqual([]);
      expect(await world.list()).toMatchObject([{ name: "tree", status: "stopped" }]);
    });

  test("gives a grace to say goodbye, and stopping again is no error", async () => {
    await using world = await serviceWorld();
    const script = "trap 'sleep 0.3; echo bye; exit 9' TERM; echo up; sleep 300 & wait";
    for (const shell_mode of ["direct", "default"]) {
      await world.spawn({ name: "polite", command: ["sh", "-c", script], ready_text: "up", shell_mode });
      const both = await Promise.all([1, 2].map(() => world.stop("polite", { grace_ms: 30_000 })));
      expect(both.map(({ status }) => status)).toEqual(["stopped", "stopped"]);
      // The shell around it, if there is one, does not wait for it.
      expect([shell_mode, both[0]?.exit_code]).toEqual([shell_mode, shell_mode === "direct" ? 9 : 143]);
      expect((await world.logs("polite")).text).toBe("up\nbye\n");
      expect(await world.stop("polite")).toMatchObject({ status: "stopped", stopped_processes: 0 });
    }
  });

  test("who asks again with less patience, or closes the toolkit, does not wait for the first one's", async () => {
    await using world = await serviceWorld();
    const deaf = (name: string) =>
      world.spawn({ name, command: [program("ignore-term.sh")], ready_text: "started" });
    await Promise.all([deaf("a"), deaf("b")]);
    const began = performance.now();
    const patient = ["a", "b"].map((name) => world.stop(name, { grace_ms: 60_000 }));
    expect((await world.stop("a", { grace_ms: 0 })).status).toBe("stopped");
    await world.toolkit.close();
    expect((await Promise.all(patient)).map(({ status }) => status)).toEqual(["stopped", "stopped"]);
    expect(performance.now() - began).toBeLessThan(40_000);
    expect(await world.left()).toEqual([]);
  });

  test("one that had ended by itself is answered with how it ended, and what it left behind is gone", async () => {
    await using world = await serviceWorld();
    const command = ["sh", "-c", "setsid sleep 300 & sleep 300 & echo up; sleep 0.3; exit 4"];
    await world.spawn({ name: "gone", command, ready_text: "up" });
    await waitFor("its end", async () => (await world.list())[0]?.status === "exited");
    expect(await world.left()).toEqual([]);
    expect(await world.stop("gone")).toMatchObject({ status: "exited", exit_code: 4, stopped_processes: 0 });
  });
});

describe.skipIf(LINUX.missing)(`the end of the toolkit${LINUX.why}`, () => {
  test("stops every process of every service", async () => {
    await using world = await serviceWorld();
    for (const name of ["hold-pipe.sh", "escape-session.sh"])
      await world.spawn({ name, command: [program(name)], ready_text: "started" });
    await world.toolkit.close();
    expect(await world.left()).toEqual([]);
    expect(await world.refusal("list_services", {})).toMatchObject({ code: "CLOSED" });
  });

  test("nothing is started after it, nor by a call that races with it", async () => {
    await using world = await serviceWorld();
    const port = await freePort();
    const spawn = (name: string, more: object = {}) =>
      world.toolkit.invoke("spawn_service", { name, ...SLEEPER, ready_after_ms: 60_000, ...more });
    // The second one is still knocking on its port when the toolkit is closed.
    const before = [spawn("a"), spawn("b", { port })];
    const closing = world.toolkit.close();
    const during = spawn("c");
    await closing;
    const after = spawn("d");
    expect((await Promise.all(before)).map(({ status }) => status)).toEqual(["failure", "failure"]);
    for (const call of [during, after])
      expect(await call).toMatchObject({
        status: "failure",
        reason: "runtime",
        error: { code: "CLOSED", retriable: false },
      });
    expect(await world.left()).toEqual([]);
  });

  test("a call that was let in before, and asks for what is kept only afterwards, is CLOSED too", async () => {
    await using world = await serviceWorld({
      confirm: async () => {
        await world.toolkit.close();
        return true;
      },
    });
    expect(await world.refusal("git_command", { subcommand: "branch", args: ["x"] })).toMatchObject({
      code: "CLOSED",
    });
  });

  test("also of one that is not ready yet", async () => {
    await using world = await serviceWorld();
    const waiting = { name: "web", command: ["sh", "-c", "echo up; sleep 300"], ready_text: "never" };
    const call = world.toolkit.invoke("spawn_service", waiting);
    await waitFor("its first process", async () => (await world.left()).length > 0);
    await world.toolkit.close();
    expect(await call).toMatchObject({ status: "failure" });
    expect(await world.left()).toEqual([]);
  });
});
