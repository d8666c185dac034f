/** Hunts for secrets: puts one in every possible place, then searches all that was stored, said and started. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type GitHttpServer, gitHttpServer } from "../../helpers/git-http-server.ts";
import { ask, branchAt, ending, PATIENCE_MS, type TaskEnd } from "../../helpers/journey.ts";
import {
  allAnswers,
  type CommandLines,
  type Needles,
  recordingGit,
  searchFiles,
  searchText,
  watchCommandLines,
  wordsOfGit,
} from "../../helpers/leak-hunt.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { sandboxHere, skippedWithout, underEach } from "../../helpers/sandbox.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const failed = (failure: string) => ({ status: "FAILED", outcome: null, failure });

/** One for each source, so that what is found says where it came from. */
const CANARIES = {
  token: "canary-of-tazuna-token-5e1f",
  ghToken: "canary-of-gh-token-71ac",
  apiKey: "canary-of-an-api-key-93bd",
  profile: "canary-of-an-agents-settings-6c3a",
  shape: `ghp_CanaryShape${"0a1B".repeat(6)}`,
  url: "canary-of-the-address-0d2c",
  helper: "canary-of-the-helper-44ef",
  netrc: "canary-of-netrc-8a6b",
  body: `glpat-CanaryBody${"0a1B".repeat(5)}`,
  instruction: `ghp_CanaryInstruction${"0a1B".repeat(5)}`,
} as const;
const { instruction: _, ...NOT_TYPED } = CANARIES;

const basic = (user: string, password: string) => Buffer.from(`${user}:${password}`).toString("base64");
/** As they are, and as they travel. */
const NEEDLES: Needles = {
  ...NOT_TYPED,
  "token as a header": basic("x-access-token", CANARIES.token),
  "address as a header": basic("una", CANARIES.url),
};

/** Says all that it knows, in every way that an agent has. */
const TALKER = `
  common=$(git rev-parse --path-format=absolute --git-common-dir)
  printf 'key %s\\n' "$MY_API_KEY"; printf 'key %s\\n' "$MY_API_KEY$SECOND_TOKEN" >&2
  printf '%s' "$SHAPED" | cut -c1-20 | tr -d '\\n'; sleep 0.3; printf '%s' "$SHAPED" | cut -c21-
  printf '%s' "$MY_API_KEY" | cut -c1-9 | tr -d '\\n' >&2; sleep 0.3; printf '%s' "$MY_API_KEY" | cut -c10- >&2
  printf '{"type":"tool_result","output":"%s \\\\n %s"}\\n' "$SHAPED" "$MY_API_KEY"
  git remote -v; git config --list; cat "$common/config" "$HOME/.netrc" "$HOME/.gitconfig" 2>&1; env; env >&2
  printf 'password: %s\\n' "$(sed -n 's|.*//una:\\(.*\\)@.*|\\1|p' "$common/config")"
  printf 'I used %s and %s\\n' "$MY_API_KEY $SECOND_TOKEN" "$SHAPED" > "$TAZUNA_SUMMARY_FILE"
  env > agent.local; cat "/proc/$PPID/environ" > keeper.local 2>/dev/null
  cat /proc/[0-9]*/environ > every.local 2>/dev/null
  echo "$TAZUNA_RUN" > new.txt`;

interface World extends AsyncDisposable {
  readonly product: Product;
  readonly server: GitHttpServer;
  readonly commands: CommandLines;
  readonly gitLog: string;
  run(what: string, ...more: string[]): Promise<TaskEnd>;
}

async function makeWorld(isolation: "guard" | "sandbox"): Promise<World> {
  const product = await startProduct({ isolation });
  const server = await gitHttpServer(dirname(product.origin), {});
  const { bin, log } = await recordingGit(dirname(product.origin));
  const env = {
    PATH: `${bin}:${product.env.PATH}`,
    TAZUNA_GITHUB_TOKEN: CANARIES.token,
    GITHUB_API_URL: server.url("api/v3"),
    GH_TOKEN: CANARIES.ghToken,
    GITLAB_TOKEN: CANARIES.ghToken,
    MY_API_KEY: CANARIES.apiKey,
    SHAPED: CANARIES.shape,
  };
  const commands = watchCommandLines();
  await product.sandbox.git(product.repository, ["remote", "set-url", "origin", server.url("origin.git")]);
  await product.agent("talker", TALKER, { env: { SECOND_TOKEN: CANARIES.profile } });
  return {
    product,
    server,
    commands,
    gitLog: log,
    run: (what, ...more) => ask(product, ["run", what, "--agent", "talker", ...more], { env }),
    [Symbol.asyncDispose]: async () => {
      await commands[Symbol.asyncDispose]();
      await product[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** All that a secret was found in; `allowed` are places that are the user's own. */
async function leaksOf(world: World, allowed: readonly RegExp[]): Promise<readonly string[]> {
  const { product, commands, gitLog } = world;
  const answers = await allAnswers(product);
  const said = Object.entries(answers).flatMap(([where, text]) => searchText(where, text, NEEDLES));
  const words = await Promise.all(
    [product.repository, product.origin].map((path) => wordsOfGit(product, path)),
  );
  const started = [...commands.seen, await readFile(gitLog, "utf8")];
  await product.killEngine();
  const files = await Promise.all(
    [product.home, product.repository, product.origin].map((root) => searchFiles(root, NEEDLES)),
  );
  const all = [
    ...said,
    // Without its first letter, which a subject makes a capital.
    ...words.flatMap((text) =>
      searchText("git's words", text, { ...CANARIES, instruction: CANARIES.instruction.slice(1) }),
    ),
    ...started.flatMap((line) => searchText("a command line", line, NEEDLES)),
    ...files.flat(),
  ];
  return all.filter((leak) => !allowed.some((pattern) => pattern.test(leak)));
}

/** What the agent itself wrote into its worktree is ignored there, and no log of ours. */
const AGENTS_OWN = /\/worktrees\/[^/]+\/(agent|keeper|every|check|setup)\.local$/;

const inTree = (end: TaskEnd, name: string) => readFile(join(end.attempt.worktree, name), "latin1");

for (const isolation of ["guard", "sandbox"] as const)
  describe.skipIf(isolation === "sandbox" && !sandboxHere.available)(
    underEach(
      isolation,
      `no secret is stored, said or handed on, under the ${isolation}${isolation === "sandbox" ? skippedWithout : ""}`,
    ),
    () => {
      let world: World;
      beforeAll(async () => {
        world = await makeWorld(isolation);
      });
      afterAll(() => world?.[Symbol.asyncDispose]());
      const tried = (what: string) => tally("attack", what, { under: isolation });
      const at = (end: TaskEnd) => branchAt(world.product, world.product.origin, end.attempt.branch);
      /** By hand: git would show the address in its own command line. */
      const setUrl = async (url: string) => {
        const config = join(world.product.repository, ".git", "config");
        await writeFile(config, (await readFile(config, "utf8")).replace(/url = .*/, `url = ${url}`));
      };

      test(
        deep(
          "with the token of the environment the branch is pushed, and neither agent nor setup nor check has it",
        ),
        async () => {
          world.server.behave({ password: { user: "x-access-token", password: CANARIES.token } });
          const print = 'echo "$MY_API_KEY $SHAPED"; echo "$MY_API_KEY $SHAPED" >&2; env';
          await world.product.configure({
            setup: [`${print}; env > setup.local`],
            checks: [{ name: "talks", run: `${print}; env > check.local; false`, required: false }],
          });
          const end = await world.run("Say what you know");
          expect<unknown>(ending(end.run)).toEqual(PUSHED);
          expect(await at(end)).toBe(end.run.commit);
          expect(end.run.isolation).toBe(isolation);
          for (const name of ["agent.local", "setup.local", "check.local", "keeper.local"]) {
            const env = await inTree(end, name);
            expect(env).not.toContain(CANARIES.token);
            expect(env).not.toContain(CANARIES.ghToken);
          }
          expect(await inTree(end, "agent.local")).toContain(CANARIES.apiKey);
          if (isolation === "sandbox") expect(await inTree(end, "every.local")).not.toContain(CANARIES.token);
          tried("an agent prints secrets to stdout, stderr, in JSON, in pieces, and into its summary");
          tried("an agent dumps the environment of its keeper");
          tried("a setup command prints secrets and its environment");
          tried("a check prints secrets and its environment");
          if (isolation === "sandbox") tried("an agent dumps the environment of every process");
        },
      );

      test(
        deep(
          "if the remote refuses a token, the commit is kept, a remedy told, and the remote's words leak nothing",
        ),
        async () => {
          const words = `denied for ${CANARIES.body} at https://una:${CANARIES.url}@host/`;
          world.server.behave({ password: null });
          await world.product.configure({ setup: [], checks: [] });
          world.server.behave({ refusePushes: 401, words });
          const end = await world.run("Push with a wrong token");
          expect<unknown>(ending(end.run)).toEqual(failed("push_auth"));
          expect(end.run.failure?.remedy).toContain("TAZUNA_GITHUB_TOKEN");
          expect(end.run.commit).toMatch(/^[0-9a-f]{40}$/);
          world.server.behave({ refusePushes: null });
          const again = await ask(world.product, ["retry", end.run.id, "--from", "push"]);
          expect<unknown>(ending(again.run)).toEqual(PUSHED);
          expect(await at(end)).toBe(end.run.commit);
          tried("the body of a refusal holds secrets");
        },
      );

      test(deep("a hook of the remote and a hook here that print secrets"), async () => {
        const remoteHook = join(world.product.origin, "hooks", "pre-receive");
        await writeFile(remoteHook, `#!/bin/sh\necho "secret ${CANARIES.body}" >&2\nexit 1\n`);
        await chmod(remoteHook, 0o755);
        const refused = await world.run("Meet the hook of the remote");
        expect<unknown>(ending(refused.run)).toEqual(failed("push_rejected"));
        expect(JSON.stringify(refused.run.failure)).toContain("[redacted]");
        await rm(remoteHook);
        const hook = join(world.product.repository, ".git", "hooks", "pre-commit");
        await mkdir(dirname(hook), { recursive: true });
        await writeFile(hook, '#!/bin/sh\necho "secret $MY_API_KEY $SHAPED"; env; exit 1\n');
        await chmod(hook, 0o755);
        await world.product.configure({ hooks: "run" });
        const end = await world.run("Meet the hook here");
        expect<unknown>(ending(end.run)).toEqual(failed("hook_failed"));
        expect(JSON.stringify(end.run.failure)).toContain("[redacted]");
        await rm(hook);
        await world.product.configure({ hooks: "off" });
        tried("a hook of the remote prints secrets");
        tried("a hook of the repository prints secrets and its environment");
      });

      test(
        deep("the user's own helper, netrc, and a password in the remote's address, right and wrong"),
        async () => {
          const { product, server } = world;
          const helper = join(product.sandbox.home, "helper");
          await writeFile(
            helper,
            `#!/bin/sh\n[ "$1" = get ] && printf 'username=una\\npassword=${CANARIES.helper}\\n'\n`,
          );
          await chmod(helper, 0o755);
          await product.sandbox.git(product.repository, ["config", "--global", "credential.helper", helper]);
          server.behave({ password: { user: "una", password: CANARIES.helper } });
          expect<unknown>(ending((await world.run("Push by the helper")).run)).toEqual(PUSHED);
          await product.sandbox.git(product.repository, [
            "config",
            "--global",
            "--unset",
            "credential.helper",
          ]);

          const netrc = join(product.sandbox.home, ".netrc");
          await writeFile(netrc, `machine 127.0.0.1 login una password ${CANARIES.netrc}\n`, { mode: 0o600 });
          server.behave({ password: { user: "una", password: CANARIES.netrc } });
          expect<unknown>(ending((await world.run("Push by netrc")).run)).toEqual(PUSHED);
          await rm(netrc);

          server.behave({ password: { user: "una", password: CANARIES.url } });
          await setUrl(server.urlWithPassword("origin.git"));
          expect<unknown>(ending((await world.run("Push by the address")).run)).toEqual(PUSHED);
          server.behave({ password: null, refusePushes: 403, words: "no" });
          for (const words of [["doctor"], ["doctor", "--json"], ["repo"], ["trust"]]) {
            const { stdout, stderr } = await product.tazuna(words);
            expect(stdout + stderr).not.toContain(CANARIES.url);
          }
          const refused = await world.run("Push by an address that is refused");
          expect<unknown>(ending(refused.run)).toEqual(failed("push_auth"));
          await setUrl(`${server.urlWithPassword("").replace("u:p", `una:${CANARIES.url}`)}nowhere.git`);
          const nowhere = await world.run("Fetch from an address that leads nowhere");
          expect<unknown>(ending(nowhere.run)).toEqual(failed("fetch_failed"));
          server.behave({ refusePushes: null });
          await setUrl(server.url("origin.git"));
          for (const what of [
            "the user's helper",
            "netrc",
            "the remote's address",
            "an error that names the address",
          ])
            tried(`an agent reads and prints git's configuration; the secret is in ${what}`);
        },
      );

      test(
        deep("a token that a person types reaches the agent, and no commit message and no branch"),
        async () => {
          await world.product.configure({ branch: "tazuna/{slug}-{id8}" });
          const end = await world.run(`${CANARIES.instruction} is the token to use`);
          expect<unknown>(ending(end.run)).toEqual(PUSHED);
          expect(end.attempt.branch).toStartWith("tazuna/redacted-is-the-token-to-use-");
          tried("a person types a token into the instruction");
        },
      );

      test(
        deep(
          "then no answer, log, file, database page or command line of ours holds any of them (promise 6.3)",
        ),
        async () => {
          // Git itself hands a password in the remote's own address to its helpers.
          const gitsOwn = /^url in a command line: .*git[ -](?:remote-http|send-pack|fetch-pack)\b/;
          const usersFile = new RegExp(`^profile in ${world.product.home}/config\\.json$`);
          expect(await leaksOf(world, [AGENTS_OWN, gitsOwn, usersFile])).toEqual([]);
          expect(world.commands.seen.size).toBeGreaterThan(20);
          tried("every file, answer, command line and page of the database is searched");
        },
      );

      test(
        deep("what redaction cannot see: a secret that is encoded stays as it is, as the documents say"),
        async () => {
          await world.product.agent("encoder", `printf '%s' "$MY_API_KEY" | base64; echo x > x.txt`);
          const end = await world.run("Encode it", "--agent", "encoder");
          const run = end.attempts.find(({ agent }) => agent === "encoder")?.runs[0];
          const { stdout } = await world.product.tazuna(["logs", run?.id ?? ""]);
          expect(stdout).toContain(Buffer.from(CANARIES.apiKey).toString("base64"));
        },
      );
    },
  );
