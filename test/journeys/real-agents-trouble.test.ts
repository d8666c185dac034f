/**
 * Tells what users meet when real Claude Code, Codex, Gemini and opencode fail: no login, limits, lost sessions,
 * kills, stops.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Glob } from "bun";
import { findMarked } from "../../src/utils/programs/process-identity.ts";
import type { RealAgentId } from "../helpers/agent-home.ts";
import type { Scenario, Script, Trouble } from "../helpers/fake-model/script.ts";
import {
  ask,
  branchAt,
  changedPaths,
  ending,
  noteCodes,
  PATIENCE_MS,
  type TaskEnd,
} from "../helpers/journey.ts";
import {
  byAgent,
  byAgentSoon,
  describeReal,
  expected,
  INSTALLED,
  type RealProduct,
  startRealProduct,
} from "../helpers/real-product.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const LONG = { withinMs: 120_000 };

const failed = (code: string) => ({ status: "FAILED", outcome: null, failure: code });
const write = (path: string) => ({ tools: [{ op: "write", path, content: `${path}\n` } as const] });

/** Never opened: who waits for it is killed. */
const forever = new Promise<void>(() => {});
/** Found again in the process table. */
const SLEEP = `sleep 8${process.pid}.5`;
/** They wait for the header themselves, once; the words are for Tazuna. */
const LIMIT: Trouble = {
  kind: "error",
  status: 429,
  message: "Too many requests. Please retry in 7s.",
  headers: { "retry-after": "1" },
};

/** A script whose limit can be lifted. */
class LiftableScript implements Script {
  limited = true;
  /** Until then the second turn of JOB-LOCKED waits. */
  readonly locked = Promise.withResolvers<void>();
  get scenarios(): readonly Scenario[] {
    return [
      { when: /JOB-ANEW/, turns: [write("anew.txt"), { text: "I began anew." }] },
      { when: /JOB-GO-ON/, turns: [write("again.txt"), { text: "I went on." }] },
      { when: /JOB-AFTERWARDS/, turns: [{ text: "Nothing to do." }] },
      { when: /JOB-AUTH/, turns: [{ trouble: { kind: "error", status: 401, message: "no such key" } }] },
      {
        when: /JOB-LIMIT/,
        turns: [
          { ...write("before.txt"), usage: { input: 1000, output: 10 } },
          {
            text: "It went through.",
            usage: { input: 500, output: 5 },
            ...(this.limited ? { trouble: LIMIT } : {}),
          },
        ],
      },
      {
        when: /JOB-LOCKED/,
        turns: [
          write("before.txt"),
          { hold: this.locked.promise, ...write("after.txt") },
          { text: "I had to wait." },
        ],
      },
      { when: /JOB-KILL/, turns: [write("kept.txt"), { hold: forever, text: "never said" }] },
      {
        when: /JOB-STOP/,
        turns: [
          write("kept.txt"),
          { tools: [{ op: "shell", command: `echo started > started.txt; ${SLEEP}; echo woken` }] },
          // Codex asks what to do when a command takes longer than ten seconds.
          { hold: forever, text: "never said" },
        ],
      },
    ];
  }
}

type QuickAgentId = Exclude<RealAgentId, "opencode">;

/** opencode meets a limit with five tries of its own, and begins in many seconds: `test/executors` sees its errors. */
const QUICK = INSTALLED.filter((agent): agent is QuickAgentId => agent !== "opencode");

const testQuick = test.skipIf(QUICK.length === 0);

/** Where each keeps the conversation of a session, below its HOME. */
const SESSION_FILES: Readonly<Record<QuickAgentId, (session: string) => string>> = {
  "claude-code": (session) => `.claude/projects/*/${session}.jsonl`,
  codex: (session) => `.codex/sessions/**/*${session}.jsonl`,
  gemini: (session) => `.gemini/tmp/*/chats/session-*${session.slice(0, 8)}*`,
};

describeReal("trouble with real agents", () => {
  const script = new LiftableScript();
  let real: RealProduct;
  /** The attempts that one test kills and the next makes forget. */
  let killed: TaskEnd;

  beforeAll(async () => {
    const backoffMs = Array.from({ length: 40 }, () => 10_000);
    const TAZUNA_TIMING = JSON.stringify({ graceMs: 3000, backoffMs });
    real = await startRealProduct({ script, env: { TAZUNA_TIMING } });
  });
  afterAll(() => real?.[Symbol.asyncDispose]());

  /** A word of the first message, to see that a request holds the whole conversation. */
  const askedAfter = (word: string, instruction: string) =>
    real.model.requests.filter(({ userText }) => userText.includes(word) && userText.includes(instruction));

  const wait = (end: TaskEnd) => ask(real.product, ["wait", end.document.task.id]);
  /** Not without a pause: each look starts a program. */
  const look = async (end: TaskEnd) => {
    await Bun.sleep(200);
    return ask(real.product, ["show", end.document.task.id]);
  };
  const exists = (...parts: string[]) => Bun.file(join(...parts)).exists();

  test("a key that the provider refuses is `auth_required`, with a remedy", async () => {
    const end = await real.run("JOB-AUTH");
    expect(end.code).toBe(1);
    expect<unknown>(
      await byAgentSoon(end.attempts, async (run, attempt) => ({
        ending: ending(run),
        message: run.failure?.message,
        remedy: run.failure?.remedy,
        pushed: await branchAt(real.product, real.product.origin, attempt.branch),
      })),
    ).toEqual(
      byAgent(end.attempts, (run, { agent }) => ({
        ending: failed("auth_required"),
        message: expect.stringContaining("no such key"),
        remedy: `Log in with the agent's own program; \`tazuna agents\` says how ${agent} does that. Then \`tazuna retry ${run.id.slice(0, 8)}\`.`,
        pushed: null,
      })),
    );
  });

  // Codex would look for its provider's own server.
  const keyless = QUICK.filter((agent) => agent !== "codex");

  test.skipIf(keyless.length === 0)("no key at all is `auth_required` too", async () => {
    const withoutKey = (agent: RealAgentId) => {
      const { env } = real.home(agent).profile;
      return { env: Object.fromEntries(Object.entries(env).filter(([name]) => !/_KEY$/.test(name))) };
    };
    await real.product.configure({ agents: real.profiles(withoutKey) });
    const end = await real.run("JOB-AUTH", keyless);
    await real.product.configure({ agents: real.profiles() });
    expect<unknown>(byAgent(end.attempts, ending)).toEqual(
      byAgent(end.attempts, () => failed("auth_required")),
    );
  });

  testQuick(
    "a rate limit is a pause: the slot is free, the login is held, and the session goes on",
    async () => {
      const { product } = real;
      const gates = join(product.home, "..", "gates");
      await mkdir(gates);
      const gate = join(gates, "blocker");
      await product.agent("blocker", `touch '${gate}.reached'; until [ -e '${gate}' ]; do sleep 0.1; done`);
      await product.configure({ limits: { parallel: QUICK.length }, sandbox: { write: [gates] } });
      const limited = await real.begin("JOB-LIMIT", QUICK);
      // There is no slot for it as long as all of them work.
      const blocker = await ask(product, ["run", "block", "--agent", "blocker", "--detach"]);
      const until: Record<string, string> = {};
      await waitFor(
        "all to wait for their limit",
        async () => {
          for (const { agent, runs } of (await look(limited)).attempts)
            if (runs[0]?.phase === "waiting") until[agent] ??= runs[0].resume_at ?? "";
          return Object.keys(until).length === QUICK.length;
        },
        LONG,
      );
      await waitFor("a run in the free slot", () => exists(`${gate}.reached`), LONG);
      await product.configure({ limits: {} });
      await Bun.write(gate, "");
      const [agent] = QUICK as [RealAgentId];
      const resumeAt = await waitFor("the first to have just begun to wait", () => longWait(limited), LONG);
      const later = await real.begin("JOB-AFTERWARDS", [agent]);
      script.limited = false;
      const [done, afterwards] = await Promise.all([wait(limited), wait(later), wait(blocker)]);
      for (const at of Object.values(until)) expect(Date.parse(at)).toBeGreaterThan(0);
      expect<unknown>(
        await byAgentSoon(done.attempts, async (run, attempt) => ({
          ending: ending(run),
          notes: noteCodes(run),
          resumeAt: run.resume_at,
          summary: run.summary,
          tokens: [run.usage?.input_tokens, run.usage?.output_tokens],
          oneSession: new Set(await real.sessions(run.id)).size,
          startedAgain: (await real.sessions(run.id)).length > 1,
          paths: await changedPaths(product, product.origin, attempt.branch),
        })),
      ).toEqual(
        expected(
          () => ({
            ending: PUSHED,
            notes: [],
            resumeAt: null,
            summary: "It went through.",
            tokens: [1500, 15],
            oneSession: 1,
            startedAgain: true,
            paths: ["before.txt"],
          }),
          QUICK,
        ),
      );
      const told = askedAfter("JOB-LIMIT", "Go on where you stopped; you were asked:\n\nJOB-LIMIT");
      expect(new Set(told.map(({ wire }) => wire)).size).toBe(QUICK.length);
      for (const { body } of told) expect(JSON.stringify(body)).toContain("before.txt");
      expect(ending(afterwards.run)).toEqual({ status: "SUCCEEDED", outcome: "no_changes" });
      expect(Date.parse(afterwards.run.started_at ?? "")).toBeGreaterThanOrEqual(resumeAt);
    },
  );

  /** When the first attempt of a task resumes, if that is a while yet. */
  async function longWait(end: TaskEnd): Promise<number | null> {
    const { run } = await look(end);
    const resumeAt = Date.parse(run.resume_at ?? "");
    return run.phase === "waiting" && resumeAt - Date.now() > 6000 ? resumeAt : null;
  }

  testQuick(
    "a run that waits for its limit can be stopped, and its session goes on once the login is free",
    async () => {
      script.limited = true;
      const begun = await real.begin("JOB-LIMIT", QUICK.slice(0, 1));
      const waits = async () => (await look(begun)).run.phase === "waiting";
      await waitFor("the run to wait", waits, LONG);
      await ask(real.product, ["stop", begun.run.id]);
      const end = await wait(begun);
      script.limited = false;
      expect([ending(end.run), end.run.resume_at]).toEqual([{ status: "CANCELED", outcome: null }, null]);
      await goesOn(end, ["before.txt"]);
    },
  );

  test.skipIf(!INSTALLED.includes("opencode"))(
    "opencode, whose database another program holds at its start and in a turn, is started again and goes on",
    async () => {
      const { product, model } = real;
      const database = join(real.home("opencode").path, ".local", "share", "opencode", "opencode.db");
      const starts = () =>
        model.requests.filter(({ userText, turn }) => turn !== null && userText.includes("JOB-LOCKED"))
          .length;
      let begun: TaskEnd;
      {
        using _held = holdDatabase(database);
        begun = await real.begin("JOB-LOCKED", ["opencode"]);
        await waitFor(
          "it to wait for another start",
          async () => (await look(begun)).run.phase === "waiting",
          LONG,
        );
        expect(starts()).toBe(0);
      }
      await waitFor("its second turn", () => starts() === 2, LONG);
      {
        using _held = holdDatabase(database);
        script.locked.resolve();
        await waitFor(
          "it to wait for a third",
          async () => (await look(begun)).run.phase === "waiting",
          LONG,
        );
      }
      const { run, attempt } = await wait(begun);
      expect<unknown>({ ending: ending(run), notes: noteCodes(run), summary: run.summary }).toEqual({
        ending: PUSHED,
        notes: [],
        summary: "I had to wait.",
      });
      expect(await real.sessions(run.id)).toHaveLength(1);
      const told = askedAfter("JOB-LOCKED", "Go on where you stopped; you were asked:\n\nJOB-LOCKED");
      expect(told.map(({ turn }) => turn?.index)).toEqual([1, 2]);
      expect(await changedPaths(product, product.origin, attempt.branch)).toEqual([
        "after.txt",
        "before.txt",
      ]);
    },
  );

  testQuick(
    "a CLI that is killed in the middle is `agent_failed`; its edits are kept and its session goes on",
    async () => {
      const { product, model } = real;
      const begun = await real.begin("JOB-KILL", QUICK);
      const held = () =>
        model.requests.filter(({ userText, turn }) => userText.includes("JOB-KILL") && turn?.index === 1)
          .length;
      await waitFor("all to wait for the model", () => held() >= QUICK.length, LONG);
      for (const { runs } of begun.attempts) {
        const keeper = await real.keeper(runs[0]?.id ?? "");
        process.kill(keeper?.agentPid ?? 0, "SIGKILL");
      }
      killed = await wait(begun);
      expect(killed.code).toBe(1);
      expect<unknown>(
        await byAgentSoon(killed.attempts, async (run, { id, worktree, branch }) => ({
          ending: ending(run),
          message: run.failure?.message,
          kept: await readFile(join(worktree, "kept.txt"), "utf8"),
          snapshots: (await snapshots(id)).length,
          pushed: await branchAt(product, product.origin, branch),
          left: await findMarked({ name: "TAZUNA_RUN", value: run.id }),
        })),
      ).toEqual(
        expected(
          () => ({
            ending: failed("agent_failed"),
            message: expect.stringMatching(/^The agent ended without finishing its turn \(signal SIGKILL\)/),
            kept: "kept.txt\n",
            snapshots: 1,
            pushed: null,
            left: [],
          }),
          QUICK,
        ),
      );
      await goesOn(killed, ["kept.txt"]);
    },
  );

  testQuick(
    "a session that is gone begins anew, told what happened before, and the note says so",
    async () => {
      const { product } = real;
      const sessions = await byAgentSoon(killed.attempts, async (run) => (await real.sessions(run.id))[0]);
      for (const { agent } of killed.attempts) {
        const home = real.home(agent as RealAgentId).path;
        const glob = new Glob(SESSION_FILES[agent as QuickAgentId](String(sessions[agent])));
        const files = await Array.fromAsync(glob.scan({ cwd: home, dot: true }));
        expect({ agent, found: files.length > 0 }).toEqual({ agent, found: true });
        for (const file of files) await rm(join(home, file));
      }
      const ends = await real.continueEach(killed.attempts, "JOB-ANEW");
      const attempts = ends.map(({ attempt }) => attempt);
      expect<unknown>(
        await byAgentSoon(attempts, async (run, { agent, branch }) => ({
          ending: ending(run),
          notes: noteCodes(run),
          lost: run.notes[0]?.details.session,
          isAnother: (await real.sessions(run.id)).map((session) => session !== sessions[agent]),
          summary: run.summary,
          paths: await changedPaths(product, product.origin, branch),
        })),
      ).toEqual(
        expected(
          (agent) => ({
            ending: PUSHED,
            notes: ["session_restarted"],
            lost: sessions[agent],
            isAnother: [true],
            summary: "I began anew.",
            paths: ["anew.txt"],
          }),
          QUICK,
        ),
      );
      const primed = askedAfter("# Rules", "JOB-ANEW");
      expect(new Set(primed.map(({ wire }) => wire)).size).toBe(QUICK.length);
      for (const { userText } of primed) {
        expect(userText).toContain("Your earlier conversation on this working tree is lost.");
        expect(userText).toContain("Person: JOB-KILL\n- Write kept.txt\nYou: (nothing was said at the end)");
        expect(userText).toContain("- Write again.txt\nYou: I went on.");
      }
    },
  );

  test("`tazuna stop` in a long command leaves no process, keeps the edits, and `continue` goes on", async () => {
    const { product } = real;
    const begun = await real.begin("JOB-STOP");
    for (const { worktree } of begun.attempts)
      await waitFor("the command to run", () => exists(worktree, "started.txt"), LONG);
    const running = await commandLines();
    await Promise.all(begun.attempts.map(({ runs }) => ask(product, ["stop", runs[0]?.id ?? ""])));
    const end = await wait(begun);
    expect(running.some((line) => line.includes(SLEEP))).toBe(process.platform === "linux");
    expect((await commandLines()).filter((line) => line.includes(SLEEP))).toEqual([]);
    expect<unknown>(
      await byAgentSoon(end.attempts, async (run, { id, worktree, branch }) => ({
        ending: ending(run),
        kept: await readFile(join(worktree, "kept.txt"), "utf8"),
        snapshots: (await snapshots(id)).length,
        pushed: await branchAt(product, product.origin, branch),
        left: await findMarked({ name: "TAZUNA_RUN", value: run.id }),
      })),
    ).toEqual(
      expected(() => ({
        ending: { status: "CANCELED", outcome: null },
        kept: "kept.txt\n",
        snapshots: 1,
        pushed: null,
        left: [],
      })),
    );
    await goesOn(end, ["kept.txt", "started.txt"]);
  });

  /** A follow-up in the same session, whose commit has what the run before it had left. */
  async function goesOn(before: TaskEnd, left: readonly [string, ...string[]]): Promise<void> {
    const { product } = real;
    const word = before.document.task.issue;
    const ends = await real.continueEach(before.attempts, `JOB-GO-ON after ${word}`);
    expect<unknown>(
      await byAgentSoon(
        ends.map(({ attempt }) => attempt),
        async (run, { branch }) => ({
          ending: ending(run),
          notes: noteCodes(run),
          sessions: await real.sessions(run.id),
          paths: await changedPaths(product, product.origin, branch),
        }),
      ),
    ).toEqual(
      await byAgentSoon(before.attempts, async (run) => ({
        ending: PUSHED,
        notes: [],
        sessions: (await real.sessions(run.id)).slice(0, 1),
        paths: ["again.txt", ...left],
      })),
    );
    const asked = askedAfter("# Rules", `JOB-GO-ON after ${word}`);
    expect(new Set(asked.map(({ wire }) => wire)).size).toBe(before.attempts.length);
    for (const { userText, body } of asked) {
      expect(userText).not.toContain("is lost");
      expect(JSON.stringify(body)).toContain(left[0]);
    }
  }

  async function snapshots(attempt: string): Promise<readonly string[]> {
    const { sandbox, repository } = real.product;
    const refs = await sandbox.git(repository, [
      "for-each-ref",
      "--format=%(refname)",
      `refs/tazuna/snapshots/${attempt}`,
    ]);
    return refs === "" ? [] : refs.split("\n");
  }
});

/** No other process writes the database until the scope ends. */
function holdDatabase(path: string): Disposable {
  const database = new Database(path);
  database.run("PRAGMA busy_timeout = 20000");
  database.run("BEGIN IMMEDIATE");
  return {
    [Symbol.dispose]: () => {
      database.run("ROLLBACK");
      database.close();
    },
  };
}

/** Of every process that can be looked at; none if there is no /proc. */
async function commandLines(): Promise<readonly string[]> {
  const names = await readdir("/proc").catch(() => []);
  const read = (name: string) => readFile(`/proc/${name}/cmdline`, "latin1").catch(() => "");
  const lines = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(read));
  return lines.map((line) => line.replaceAll("\0", " "));
}
