/** Breaks the remote at each phase of a run: its end is true, stop answers at once, the remedy publishes. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Behaviour, type Breakage, gitHttpServer } from "../../helpers/git-http-server.ts";
import { ask, branchAt, ending, exists, PATIENCE_MS, type TaskEnd } from "../../helpers/journey.ts";
import { startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";
import { eventually } from "../crash/eventually.ts";
import { whatIsWrong } from "../crash/what-is-wrong.ts";
import { type Held, holdable, whileAt } from "./phases.ts";

setDefaultTimeout(PATIENCE_MS);

const product = await startProduct();
await holdable(product);
const server = await gitHttpServer(dirname(product.origin));
const git = (...args: string[]) => product.sandbox.git(product.repository, args);
const setUrl = (url: string) => git("remote", "set-url", "origin", url);
await setUrl(server.url("origin.git"));

afterAll(async () => {
  try {
    expect(await whatIsWrong(product, { starts: null })).toEqual([]);
  } finally {
    await server[Symbol.asyncDispose]();
    await product[Symbol.asyncDispose]();
  }
});

const ANYTHING_PUSHED = /git-receive-pack/;
const ANYTHING_FETCHED = /git-upload-pack/;
const WELL: Partial<Behaviour> = { hang: false, breaks: null, refusePushes: null };

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const CANCELED = { status: "CANCELED", outcome: null };
const failed = (failure: string) => ({ status: "FAILED", outcome: null, failure });

/** Types the retry that the remedy names. */
function remedy(end: TaskEnd): Promise<TaskEnd> {
  const named = /`tazuna (retry [^`]+)`/.exec(end.run.failure?.remedy ?? "")?.[1];
  if (named === undefined) throw new Error(`no retry is named: ${end.run.failure?.remedy}`);
  return ask(product, named.split(" "));
}

const onRemote = (end: TaskEnd) => branchAt(product, product.origin, end.attempt.branch);

describe("a remote that breaks", () => {
  test.each(["drop", "fault"] as readonly Breakage[])(
    "(%s) when it is fetched from: nothing begins, and a retry goes on",
    async (how) => {
      server.behave({ breaks: { at: ANYTHING_FETCHED, how } });
      const end = await ask(product, ["run", "Change it", "--agent", "agent"]);
      server.behave(WELL);
      expect<unknown>([ending(end.run), end.run.commit]).toEqual([failed("fetch_failed"), null]);
      expect<unknown>(ending((await remedy(end)).run)).toEqual(PUSHED);
      tally("fault", `remote, fetched from: ${how}`);
    },
  );

  test.each(["drop", "fault"] as readonly Breakage[])(
    "(%s) when it is pushed to: the commit stays, and the named retry pushes that very commit",
    async (how) => {
      const end = await whileAt(product, "agent", () =>
        server.behave({ breaks: { at: ANYTHING_PUSHED, how } }),
      );
      server.behave(WELL);
      expect<unknown>([ending(end.run), await onRemote(end)]).toEqual([failed("remote_unreachable"), null]);
      const again = await remedy(end);
      expect<unknown>([ending(again.run), await onRemote(end)]).toEqual([PUSHED, end.run.commit]);
      tally("fault", `remote, pushed to: ${how}`);
    },
  );

  test("when a follow-up is synced: nothing of the attempt changes, and a retry goes on", async () => {
    const first = await ask(product, ["run", "Change it", "--agent", "agent"]);
    server.behave({ breaks: { at: ANYTHING_FETCHED, how: "drop" } });
    const end = await ask(product, ["continue", first.attempt.id, "Once more"]);
    server.behave(WELL);
    expect<unknown>([ending(end.run), await onRemote(end)]).toEqual([
      failed("fetch_failed"),
      first.run.commit,
    ]);
    expect<unknown>(ending((await remedy(end)).run)).toEqual(PUSHED);
    tally("fault", "remote, synced with: drop");
  });

  test(
    deep(
      "when it loses the answer to a push that arrived: the retry finds it there, and pushes nothing twice",
    ),
    async () => {
      const end = await whileAt(product, "agent", async () => {
        await product.configure({ limits: { git_s: 10 } });
        server.behave({ breaks: { at: /\/git-receive-pack$/, how: "stall" } });
      });
      await product.configure({ limits: {} });
      server.behave(WELL);
      const arrived = await onRemote(end);
      const again = await remedy(end);
      expect<unknown>([ending(end.run), arrived, ending(again.run), await onRemote(end)]).toEqual([
        failed("remote_unreachable"),
        end.run.commit,
        PUSHED,
        end.run.commit,
      ]);
      tally("fault", "remote, pushed to: its answer is lost");
    },
  );
});

describe("a remote that refuses", () => {
  const HOOK = join(product.origin, "hooks", "update");
  const WORDS = ["protected branch hook declined", "quota exceeded: 10 GB of 10 GB used"];

  test.each(WORDS)(
    deep("a push with `%s`: its words are shown, the commit stays, and the named retry pushes it"),
    async (words) => {
      await writeFile(HOOK, `#!/bin/sh\necho '${words}' >&2\nexit 1\n`);
      await chmod(HOOK, 0o755);
      const end = await ask(product, ["run", "Change it", "--agent", "agent"]);
      await rm(HOOK);
      expect<unknown>([ending(end.run), await onRemote(end)]).toEqual([failed("push_rejected"), null]);
      expect(JSON.stringify(end.run.failure)).toContain(words);
      const again = await remedy(end);
      expect<unknown>([ending(again.run), await onRemote(end)]).toEqual([PUSHED, end.run.commit]);
      tally("fault", `remote, pushed to: ${words}`);
    },
  );

  test("a push that is not allowed: push_auth, and once it is, the named retry pushes it", async () => {
    const end = await whileAt(product, "agent", () => server.behave({ refusePushes: 403 }));
    server.behave(WELL);
    expect<unknown>([ending(end.run), await onRemote(end)]).toEqual([failed("push_auth"), null]);
    expect<unknown>(ending((await remedy(end)).run)).toEqual(PUSHED);
    tally("fault", "remote, pushed to: forbidden");
  });
});

test("a branch that someone deleted on the remote is pushed again by the next run, with all of its commits", async () => {
  const first = await ask(product, ["run", "Change it", "--agent", "agent"]);
  await product.sandbox.git(product.origin, ["update-ref", "-d", `refs/heads/${first.attempt.branch}`]);
  const later = await ask(product, ["continue", first.attempt.id, "Once more"]);
  expect<unknown>([ending(later.run), await onRemote(later)]).toEqual([PUSHED, later.run.commit]);
  expect(await product.sandbox.git(product.origin, ["rev-parse", `${later.run.commit}^`])).toBe(
    first.run.commit ?? "",
  );
  tally("fault", "remote, idle: its branch is deleted");
});

describe("while the remote hangs", () => {
  /** Far less than `limits.git_s`, on a busy machine too. */
  const AT_ONCE_MS = 20_000;

  /** Asks for a run that will hang, ends it once it does, and says how. */
  async function endedWhile(verb: "stop" | "cancel", args: readonly string[], hangs: () => Promise<unknown>) {
    const started = await ask(product, [...args, "--detach"]);
    await hangs();
    const began = performance.now();
    const { attempt, run } = started;
    await product.tazuna([verb, verb === "stop" ? run.id : attempt.id, "--json"]);
    const end = await ask(product, ["wait", run.id]);
    return { ending: ending(end.run), soon: performance.now() - began < AT_ONCE_MS };
  }

  const silent = async (at: RegExp) => {
    const asked = () => server.requests.filter(({ path, status }) => status === 0 && at.test(path)).length;
    const before = asked();
    return () => eventually("a request that is not answered", () => asked() > before);
  };

  test.each(["stop", "cancel"] as const)(
    deep("%s ends a run that fetches, one that syncs, and one that pushes"),
    async (verb) => {
      const first = await ask(product, ["run", "Change it", "--agent", "agent"]);
      server.behave({ hang: true });
      const fetches = await endedWhile(
        verb,
        ["run", "Change it", "--agent", "agent"],
        await silent(ANYTHING_FETCHED),
      );
      const more = ["continue", first.attempt.id, "Once more"];
      const syncs = await endedWhile(verb, more, await silent(ANYTHING_FETCHED));
      server.behave(WELL);
      let ends: unknown = null;
      const hung = await silent(ANYTHING_PUSHED);
      await whileAt(product, "agent", ({ attempt, run }: Held) => {
        server.behave({ hang: true });
        ends = (async () => {
          await hung();
          const began = performance.now();
          await product.tazuna([verb, verb === "stop" ? run.id : attempt.id, "--json"]);
          return performance.now() - began;
        })();
      }).then(async (end) => {
        const took = (await ends) as number;
        expect<unknown>([ending(end.run), took < AT_ONCE_MS]).toEqual([CANCELED, true]);
      });
      server.behave(WELL);
      const wanted = { ending: CANCELED, soon: true };
      expect<unknown>([fetches, syncs]).toEqual([wanted, wanted]);
      for (const phase of ["fetches", "syncs", "pushes"])
        tally("fault", `remote, ${verb} while it ${phase}: hangs`);
    },
  );

  test("stop ends a run whose ssh hangs, with all that it started; another run of the repository goes on meanwhile", async () => {
    const mark = join(dirname(product.home), "ssh-hangs");
    const slow = `sh -c 'touch "${mark}"; sleep 1000'`;
    await git("config", "core.sshCommand", slow);
    await setUrl("ssh://nowhere.invalid/origin.git");
    const hangs = () => eventually("ssh", () => exists(mark));
    const ends = await endedWhile("stop", ["run", "Change it", "--agent", "agent"], hangs);
    await git("config", "--unset", "core.sshCommand");
    await setUrl(server.url("origin.git"));
    const later = await ask(product, ["run", "Change it", "--agent", "agent"]);
    expect<unknown>([ends, ending(later.run)]).toEqual([{ ending: CANCELED, soon: true }, PUSHED]);
    tally("fault", "remote, stop while it fetches: ssh hangs");
  });

  test("one of two runs that wait for the same fetch is stopped; the other one gets it", async () => {
    server.behave({ hang: true });
    const hung = await silent(ANYTHING_FETCHED);
    const both = await ask(product, ["run", "Change it", "--agent", "agent", "--agent", "agent", "--detach"]);
    await hung();
    const [one, other] = both.attempts.map(({ runs }) => runs[0]?.id ?? "");
    await product.tazuna(["stop", one ?? "", "--json"]);
    const stopped = await product.tazuna(["wait", one ?? "", "--json"]);
    server.behave({ ...WELL, breaks: null });
    server.release();
    await product.tazuna(["wait", other ?? "", "--json"]);
    const end = await ask(product, ["show", both.document.task.id]);
    expect(stopped.code).not.toBe(0);
    expect<unknown>(end.attempts.map(({ runs }) => runs.map(ending))).toEqual([[CANCELED], [PUSHED]]);
    tally("fault", "remote, stop of one of two while it fetches: hangs");
  });
});
