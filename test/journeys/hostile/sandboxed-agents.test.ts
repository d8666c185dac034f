/**
 * Tells that sandboxed agents which try everything can neither write outside of their worktree nor outlive their run.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { claudeCode } from "../../../src/executors/claude-code/index.ts";
import { codex } from "../../../src/executors/codex/index.ts";
import { gemini } from "../../../src/executors/gemini/index.ts";
import { opencode } from "../../../src/executors/opencode/index.ts";
import { findMarked } from "../../../src/utils/programs/process-identity.ts";
import {
  ask,
  branchesOf,
  ending,
  fileAt,
  PATIENCE_MS,
  type TaskEnd,
  usersSide,
} from "../../helpers/journey.ts";
import { PERL } from "../../helpers/need.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { program } from "../../helpers/programs.ts";
import { sandboxHere, skippedWithout } from "../../helpers/sandbox.ts";
import { tally } from "../../helpers/tally.ts";
import { tempDir } from "../../helpers/temp-dir.ts";
import { deep } from "../../helpers/tier.ts";
import { waitFor } from "../../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const SECRET = "hunter2-of-the-user";

describe.skipIf(!sandboxHere.available)(`hostile agents, by the sandbox${skippedWithout}`, () => {
  let product: Product;
  let home: string;

  beforeAll(async () => {
    product = await startProduct({ isolation: "sandbox" });
    home = product.env.HOME ?? "";
    for (const folder of [".ssh", ".aws", ".config/gh", ".npm"])
      await mkdir(join(home, folder), { recursive: true });
    for (const file of [".ssh/id", ".aws/credentials", ".config/gh/hosts.yml", ".netrc", ".git-credentials"])
      await writeFile(join(home, file), `${SECRET}\n`);
  });
  afterAll(() => product?.[Symbol.asyncDispose]());

  /** Lets such an agent work on the repository; `prove` is what must be as before. */
  async function attack(name: string, script: string, profile = {}): Promise<TaskEnd> {
    await product.agent(name, script, profile);
    const before = await usersSide(product);
    const end = await ask(product, ["run", `Be ${name}`, "--agent", name]);
    expect(end.run.isolation).toBe("sandbox");
    expect(await usersSide(product, { ours: branchesOf(end) })).toEqual(before);
    expect(await findMarked({ name: "TAZUNA_RUN", value: end.run.id })).toEqual([]);
    return end;
  }

  test("seed 003 Overall architecture: an agent's writes reach its worktree and nothing else, by the sandbox (promise 1.2)", async () => {
    const places = [
      product.repository,
      home,
      join(home, ".ssh"),
      join(home, ".config"),
      product.home,
      join(product.home, "worktrees"),
      "/var/tmp",
      "/run",
    ];
    const end = await attack(
      "vandal",
      `for at in ${places.map((place) => `"${place}"`).join(" ")}; do
         echo x > "$at/planted-by-vandal" && echo "$at" >> reached.txt
         ln -s "$at" door && (echo x > door/planted-by-vandal) && echo "door $at" >> reached.txt; rm -f door
       done
       rm -rf "${product.repository}/README.md" "${product.home}/tazuna.db"; echo done > done.txt`,
    );
    expect<unknown>(ending(end.run)).toEqual(PUSHED);
    expect(await fileAt(product, product.origin, end.attempt.branch, "done.txt")).toBe("done");
    expect(await textOrNothing(join(end.attempt.worktree, "reached.txt"))).toBe("");
    for (const place of places) expect(existsSync(join(place, "planted-by-vandal"))).toBe(false);
  });

  test("seed 003 Phase 2: git cannot be written by any means: commands, files, a moved `.git`, a namespace (promise 1.1)", async () => {
    const dir = `"$(git rev-parse --path-format=absolute --git-common-dir)"`;
    const end = await attack(
      "committer",
      `common=${dir}
       try() { "$@" >/dev/null 2>&1 && echo "$*" >> reached.txt; }
       echo x > new.txt
       try git add -A; try git -c user.name=x -c user.email=x@x commit --allow-empty -m evil
       try git branch evil; try git update-ref refs/heads/evil HEAD; try git stash -u; try git gc --prune=now
       try git config core.hooksPath /tmp; try git worktree add /tmp/w; try git remote add evil /tmp/e; try git push origin HEAD:evil
       try sh -c 'echo x >> .git'; try mv .git other; try rm -f .git; try ln -sf /tmp/x .git
       try sh -c "echo x > $common/hooks/post-commit"; try sh -c "echo x >> $common/config"; try mv "$common/refs" /tmp/refs
       try unshare -Urm sh -c "mount --bind /tmp $common && echo x > $common/config"
       try unshare -Urm sh -c "umount -l $common; echo x >> $common/config"
       git status --porcelain > status.txt && git log --oneline -1 >> status.txt && git diff >/dev/null && echo read >> status.txt`,
    );
    expect<unknown>(ending(end.run)).toEqual(PUSHED);
    expect(await textOrNothing(join(end.attempt.worktree, "reached.txt"))).toBe("");
    const status = await readFile(join(end.attempt.worktree, "status.txt"), "utf8");
    expect(status).toContain("?? new.txt\n");
    expect(status).toEndWith("\nread\n");
    expect(end.run.notes.filter(({ code }) => /undone|foreign/.test(code))).toEqual([]);
  });

  test("credentials, and what Tazuna keeps, look empty; no token is in the environment (promise 6.3)", async () => {
    const end = await attack(
      "thief",
      `cat "${home}"/.ssh/* "${home}"/.aws/* "${home}"/.config/gh/* "${home}"/.netrc "${home}"/.git-credentials "${product.home}"/server.json "${product.home}"/*.db "${product.home}"/runs/*/* > loot.txt 2>/dev/null
       ls -A "${home}/.ssh" "${product.home}" "${product.home}"/worktrees > seen.txt 2>&1
       grep -l . /proc/[0-9]*/environ > environments.txt 2>/dev/null; env > environment.txt; echo done > done.txt`,
    );
    expect(await readFile(join(end.attempt.worktree, "loot.txt"), "utf8")).toBe("");
    const seen = await readFile(join(end.attempt.worktree, "seen.txt"), "utf8");
    expect(seen).not.toContain("server.json");
    expect(seen.split("\n").filter((line) => line.startsWith("run_"))).toEqual([`run_${end.run.id}`]);
  });

  test("what forks, leaves its session and ignores every signal is gone when the run has ended", async () => {
    const mark = `300.${crypto.getRandomValues(new Uint32Array(1))[0]}`;
    const end = await attack(
      "survivor",
      `trap '' HUP INT TERM
       for n in 1 2 3; do (setsid nohup env -i /bin/sh -c "trap '' TERM; while :; do sleep ${mark}; done" >/dev/null 2>&1 &) ; done
       echo done > done.txt`,
    );
    expect<unknown>(ending(end.run)).toEqual(PUSHED);
    expect(await sleeping(mark)).toEqual([]);
  });

  test(deep("one that ignores every signal is stopped, with all that it started"), async () => {
    const mark = `300.${crypto.getRandomValues(new Uint32Array(1))[0]}`;
    await product.agent(
      "stubborn",
      `trap '' HUP INT TERM; (setsid env -i sleep ${mark} &); echo up > up.txt; while :; do sleep ${mark}; done`,
    );
    const begun = await ask(product, ["run", "Be stubborn", "--agent", "stubborn", "--detach"]);
    await waitFor("the agent to be up", () => existsSync(join(begun.attempt.worktree, "up.txt")));
    await waitFor("both to sleep", async () => (await sleeping(mark)).length === 2);
    await ask(product, ["stop", begun.run.id]);
    const ended = await ask(product, ["wait", begun.run.id]);
    expect(ended.run.status).toBe("CANCELED");
    expect(await sleeping(mark)).toEqual([]);
  });

  test(deep("a summary that is a link or a pipe shows nothing of ours and blocks nothing"), async () => {
    for (const [name, plant] of [
      ["linker", `ln -s "${join(home, ".netrc")}" "$TAZUNA_SUMMARY_FILE"`],
      ["piper", `mkfifo "$TAZUNA_SUMMARY_FILE"`],
      ["flooder", `head -c 50000000 /dev/zero | tr '\\0' 'x' > "$TAZUNA_SUMMARY_FILE"`],
    ] as const) {
      const end = await attack(name, `${plant}; echo ${name} > ${name}.txt`);
      expect<unknown>(ending(end.run)).toEqual(PUSHED);
      const message = await product.sandbox.git(product.origin, [
        "log",
        "-1",
        "--format=%B",
        end.attempt.branch,
      ]);
      expect(message).not.toContain(SECRET);
      expect(message.length).toBeLessThan(300_000);
    }
  });

  test.each([claudeCode, codex, gemini, opencode].map((executor) => [executor.id, executor] as const))(
    "%s: its program's configuration stays as it is, and none can be planted where there is none",
    async (id, executor) => {
      const { config, folders } = executor.places({ HOME: home });
      const blanks = config.filter(({ blank }) => blank !== null);
      const [settings] = blanks.filter(({ path }) => /settings.json$|config.toml$|opencode.json$/.test(path));
      await mkdir(folders[0] ?? "", { recursive: true });
      await writeFile(settings?.path ?? "", "mine");
      await writeFile(join(home, ".claude.json"), "{}");
      for (const { path } of blanks)
        tally("attack", `plant ${path.replace(home, "~")}`, { under: "sandbox" });
      const end = await attack(
        `planter-${id}`,
        `for at in ${config.map(({ path }) => `"${path}"`).join(" ")}; do
           { echo evil > "$at"; echo evil > "$at/evil"; mkdir -p "$at" && echo evil > "$at/evil"
             rm -rf "$at" && echo evil > "$at"; mv "$at" "$at.old" && echo evil > "$at"; ln -sf /tmp/evil "$at"; } 2>/dev/null
         done
         mv "${folders[0]}" "${folders[0]}.old"; echo session > "${folders[0]}/session.jsonl"`,
        { executor: id },
      );
      for (const { path, blank } of blanks) {
        if (blank === "folder") expect([path, await readdir(path)]).toEqual([path, []]);
        else
          expect([path, await readFile(path, "utf8")]).toEqual([
            path,
            path === settings?.path ? "mine" : (blank?.text ?? ""),
          ]);
      }
      expect(await readFile(join(home, ".claude.json"), "utf8")).toBe("{}");
      expect(await readFile(join(folders[0] ?? "", "session.jsonl"), "utf8")).toBe("session\n");
      const told = end.run.notes.flatMap(({ code, details }) =>
        code === "agent_settings_changed" ? [details.path] : [],
      );
      const held = new Set<unknown>(blanks.map(({ path }) => path));
      expect(told.filter((path) => held.has(path))).toEqual([]);
    },
  );

  test(
    deep(
      "stores of packages are the run's own: what is planted there reaches neither the user nor the next run",
    ),
    async () => {
      const places = [
        ".npm/_npx/1",
        ".bun/install/cache",
        ".cache/uv",
        ".cargo/registry",
        "go/pkg/mod",
        ".m2/repository",
      ];
      for (const place of [...places, ".npm/_cacache"]) {
        await mkdir(join(home, place), { recursive: true });
        await writeFile(join(home, place, "mine"), "mine");
      }
      for (const place of places) tally("attack", `plant a package in ~/${place}`, { under: "sandbox" });
      const plant = `for at in ${places.join(" ")} .npm/_cacache; do
        ls -A "${home}/$at" 2>/dev/null | sed "s|^|$at |" >> seen.txt
        mkdir -p "${home}/$at" && echo evil > "${home}/$at/evil" && echo "$at" >> written.txt
      done; mkdir -p "${home}/go/pkg/mod/locked" && chmod 500 "${home}/go/pkg/mod/locked"`;
      for (const name of ["poisoner", "victim"]) {
        const end = await attack(name, plant);
        expect<unknown>(ending(end.run)).toEqual(PUSHED);
        const inside = (file: string) => readFile(join(end.attempt.worktree, file), "utf8");
        expect((await inside("written.txt")).trim().split("\n")).toEqual([...places, ".npm/_cacache"]);
        // What npm checks by its hash is shared.
        expect((await inside("seen.txt")).trim().split("\n")).toEqual(
          name === "poisoner" ? [".npm/_cacache mine"] : [".npm/_cacache evil", ".npm/_cacache mine"],
        );
        expect(existsSync(join(product.home, "runs", end.run.id, "own"))).toBe(false);
      }
      for (const place of places) expect(await readdir(join(home, place))).not.toContain("evil");
      const scratch = join(product.home, "scratch");
      await waitFor("the stores to be deleted", async () => (await readdir(scratch)).length === 0);
    },
  );

  test(
    deep("setup before the first agent has the user's package stores; setup before a later run has not"),
    async () => {
      await mkdir(join(home, ".cargo/registry"), { recursive: true });
      await writeFile(join(home, ".cargo/registry/mine"), "mine");
      await product.configure({
        setup: [
          `ls "${home}/.cargo/registry" > seen.txt; echo crate > "${home}/.cargo/registry/fetched-$(date +%N)"`,
        ],
      });
      const end = await attack("worker", "echo work > work.txt");
      const seen = () => readFile(join(end.attempt.worktree, "seen.txt"), "utf8");
      expect(await seen()).toContain("mine");
      const fetched = async () =>
        (await readdir(join(home, ".cargo/registry"))).filter((name) => name.startsWith("fetched-"));
      expect(await fetched()).toHaveLength(1);
      await rm(end.attempt.worktree, { recursive: true });
      const again = await ask(product, ["continue", end.attempt.id, "Go on"]);
      expect<unknown>(ending(again.run)).toMatchObject({ status: "SUCCEEDED" });
      expect(await seen()).toBe("");
      expect(await fetched()).toHaveLength(1);
      await product.configure({ setup: [] });
    },
  );

  test("git settings that the user changes meanwhile are the user's: the agent could not have", async () => {
    await product.agent("sleeper", "echo up > up.txt; until [ -e go.txt ]; do sleep 0.1; done; rm go.txt");
    const begun = await ask(product, ["run", "Be a sleeper", "--agent", "sleeper", "--detach"]);
    const { worktree, branch } = begun.attempt;
    await waitFor("the agent to be up", () => existsSync(join(worktree, "up.txt")));
    await product.sandbox.git(product.repository, ["config", "user.name", "Una Renamed"]);
    await writeFile(join(worktree, "go.txt"), "");
    const ended = await ask(product, ["wait", begun.run.id]);
    expect<unknown>({ ending: ending(ended.run), notes: ended.run.notes }).toEqual({
      ending: PUSHED,
      notes: [],
    });
    expect(await product.sandbox.git(product.origin, ["log", "-1", "--format=%an", branch])).toBe(
      "Una Renamed",
    );
    await product.sandbox.git(product.repository, ["config", "--unset", "user.name"]);
  });

  test("setup and checks of a hostile script are held as well", async () => {
    await product.configure({
      setup: [`echo x > "${home}/planted"; true`],
      checks: [
        {
          name: "spy",
          run: `cat "${home}/.netrc" > spied.txt; echo x > "${home}/planted"; git branch evil; true`,
        },
      ],
    });
    const end = await attack("plain", "echo plain > plain.txt");
    await product.configure({ setup: [], checks: [] });
    expect<unknown>(ending(end.run)).toEqual(PUSHED);
    expect(existsSync(join(home, "planted"))).toBe(false);
    expect(await readFile(join(end.attempt.worktree, "spied.txt"), "utf8")).toBe("");
  });

  test.skipIf(PERL.missing)(
    `sockets that let out are reached by no program of a run, with and without a network${PERL.why}`,
    async () => {
      const [engine, editor] = [join(home, ".colima/default/docker.sock"), join(home, "of the editor")];
      const places = [engine, join(home, "vm/docker.sock"), editor];
      for (const folder of [".colima/default", "vm"]) await mkdir(join(home, folder), { recursive: true });
      // In a network of its own, whose sockets no table shows us: known by its place alone.
      await using _ = await listening(["bwrap", "--dev-bind", "/", "/", "--unshare-net"], places.slice(0, 2));
      await using __ = await listening([], places.slice(2));
      const reach = `perl -MSocket -e 'for (@ARGV) { socket(my $s, AF_UNIX, SOCK_STREAM, 0); print "$_\n" if connect($s, pack_sockaddr_un($_)) }' ${places.map((at) => `'${at}'`).join(" ")}`;
      // They are there for programs that are not confined.
      expect(Bun.spawnSync(["sh", "-c", reach]).stdout.toString().trim().split("\n")).toEqual(places);
      const tried = (who: string) => `${reach} >> reached.txt; echo ${who} >> tried.txt`;
      const hook = join(product.repository, ".git/hooks/pre-commit");
      await writeFile(hook, `#!/bin/sh\n${tried("hook")}\n`, { mode: 0o755 });
      // An engine that knows of the second one by its environment alone.
      await product.killEngine();
      await product.tazuna(["list"], { env: { DOCKER_HOST: `unix://${places[1]}` } });
      for (const network of ["on", "off"]) {
        await product.configure({
          setup: [tried("setup")],
          checks: [{ name: "escape", run: tried("check") }],
          sandbox: { network },
          hooks: "run",
        });
        const end = await attack("caller", tried("agent"));
        const inside = (file: string) => textOrNothing(join(end.attempt.worktree, file));
        expect((await inside("tried.txt")).split("\n")).toEqual(["setup", "agent", "hook", "check", ""]);
        expect(await inside("reached.txt")).toBe("");
        for (const place of places)
          tally("attack", `connect to ${place.replace(home, "~")}, network ${network}`, { under: "sandbox" });
      }
      await rm(hook);
      await product.configure({ setup: [], checks: [], sandbox: {}, hooks: "off" });
    },
  );

  test("`sandbox.write` opens one more place, through a link too, and `sandbox.network: off` closes the network", async () => {
    await mkdir(join(home, "shared"));
    await symlink(join(home, "shared"), join(home, "alias"));
    await product.configure({ sandbox: { write: ["~/alias"], network: "off" } });
    const end = await attack(
      "guest",
      `echo here > "${home}/shared/guest.txt"; ls /sys/class/net > net.txt; cat /proc/net/dev | wc -l > devices.txt`,
    );
    await product.configure({ sandbox: {} });
    expect<unknown>(ending(end.run)).toEqual(PUSHED);
    expect(await readdir(join(home, "shared"))).toEqual(["guest.txt"]);
    // Two lines of heading, and a loopback of its own.
    expect((await readFile(join(end.attempt.worktree, "devices.txt"), "utf8")).trim()).toBe("3");
  });

  test("if sockets that a start must cover vanish again and again, the run says that it could not be held", async () => {
    await using bin = await tempDir();
    const real = Bun.which("bwrap");
    const script = `#!/bin/sh
case "$*" in *.netrc*) echo "bwrap: Can't create file at $HOME/.netrc: Read-only file system" >&2; exit 1;; esac
exec '${real}' "$@"
`;
    await writeFile(join(bin.path, "bwrap"), script, { mode: 0o755 });
    const path = `${bin.path}:${process.env.PATH}`;
    await using unlucky = await startProduct({ isolation: "sandbox", env: { PATH: path } });
    await writeFile(join(unlucky.env.HOME ?? "", ".netrc"), "");
    await unlucky.agent("unlucky", "echo never > never.txt");
    const end = await ask(unlucky, ["run", "Be unlucky", "--agent", "unlucky"]);
    expect<unknown>(ending(end.run)).toEqual({
      status: "FAILED",
      outcome: null,
      failure: "sandbox_unavailable",
    });
    expect(end.run.failure?.message).toContain("20 times in a row bwrap: Can't create file at");
    expect(end.run.failure?.remedy).toContain(`tazuna retry ${end.run.id.slice(0, 8)}`);
    expect(existsSync(join(end.attempt.worktree, "never.txt"))).toBe(false);
  });
});

/** Pids of the processes that sleep for just this time. */
async function sleeping(mark: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const pid of await readdir("/proc")) {
    const line = /^\d+$/.test(pid) ? await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "") : "";
    if (line === `sleep\0${mark}\0`) found.push(pid);
  }
  return found;
}

/** A foreign program that listens on unix sockets; it is ready. */
async function listening(through: readonly string[], places: readonly string[]) {
  const argv = [
    ...through,
    "perl",
    program("unix-sockets.pl"),
    "listen",
    ...places.map((at) => `stream:${at}`),
  ];
  const child = Bun.spawn(argv, { stdin: "pipe", stdout: "pipe" });
  await child.stdout.getReader().read();
  return {
    [Symbol.asyncDispose]: async () => {
      await child.stdin.end();
      await child.exited;
    },
  };
}

function textOrNothing(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
