/** The environment of the shell that asks holds for what is run, and is kept in memory only. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createClient } from "../../src/contract/client/client.ts";
import { gitHttpServer } from "../helpers/git-http-server.ts";
import { ask, ending, fileAt, gate, noteCodes, PATIENCE_MS } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const run = ["run", "Change it", "--agent", "agent"];
const ODD = 'two\nlines "quoted" \\ = \u001b[1m é 手綱 🐎';

/** An engine that was started by a shell that sets nothing, and an agent that writes down what it sees. */
async function runningProduct(): Promise<Product> {
  const product = await startProduct();
  await product.agent(
    "agent",
    'printf "%s" "$ODD" > odd.txt; env | grep -E "^(WHO|GH_TOKEN|TAZUNA_GITHUB_TOKEN|SSH_AUTH_SOCK)=" > seen.txt; echo "$API_KEY $(helper)" ; echo Done.',
  );
  await product.tazuna(["list"]);
  return product;
}

const seenIn = async (product: Product, end: { readonly run: { readonly commit: string | null } }) =>
  fileAt(product, product.repository, end.run.commit ?? "", "seen.txt");

test(
  deep("each run has the environment of the shell that asked; a program's request has the engine's own"),
  async () => {
    await using product = await runningProduct();
    const first = await ask(product, run, { env: { WHO: "first", ODD } });
    const follow = await ask(product, ["continue", first.attempt.id, "More"], { env: { WHO: "second" } });
    const again = await ask(product, ["retry", first.run.id], { env: { WHO: "third" } });
    const { url, token } = JSON.parse(await readFile(join(product.home, "server.json"), "utf8"));
    const client = createClient({ url, token, fetch });
    const asked = await client.followUp(first.attempt.id, { instruction: "By a browser" });
    const last = asked._unsafeUnwrap().attempts[0]?.runs.at(-1)?.id ?? "";
    const browser = await ask(product, ["wait", last]);
    const seen = [first, follow, again, browser].map((end) => seenIn(product, end));
    expect(await Promise.all(seen)).toEqual(["WHO=first", "WHO=second", "WHO=third", ""]);
    expect(await fileAt(product, product.repository, first.run.commit ?? "", "odd.txt")).toBe(ODD);
  },
);

test(deep("a PATH of the shell that asks leads to its agents, in run, agents and doctor alike"), async () => {
  await using product = await runningProduct();
  const bin = join(product.home, "../bin");
  await mkdir(bin);
  await writeFile(join(bin, "helper-agent"), "#!/bin/sh\necho new > new.txt; echo Done.\n");
  await chmod(join(bin, "helper-agent"), 0o755);
  await product.configure({ agents: { here: { executor: "command", command: ["helper-agent"] } } });
  const env = { PATH: `relative/bin:${bin}:${product.env.PATH}` };
  const readyIn = async (how: { readonly env?: Readonly<Record<string, string>> }) => {
    const { agents } = (await product.tazuna(["agents", "--json"], how)).json<{
      agents: { id: string; ready: boolean }[];
    }>();
    const { findings } = (await product.tazuna(["doctor", "--json"], how)).json<{
      findings: { id: string; level: string }[];
    }>();
    return [
      agents.find(({ id }) => id === "here")?.ready,
      findings.find(({ id }) => id === "agent:here")?.level,
    ];
  };
  expect([await readyIn({}), await readyIn({ env })]).toEqual([
    [false, "warning"],
    [true, "ok"],
  ]);
  const request = ["run", "Change it", "--agent", "here"];
  expect(ending((await ask(product, request)).run)).toMatchObject({ failure: "agent_not_found" });
  expect(ending((await ask(product, request, { env })).run)).toMatchObject({ outcome: "pushed" });
});

test("secrets of the shell are withheld and redacted like the engine's, and stand in no file or command line", async () => {
  await using product = await runningProduct();
  await using door = gate(product, "working");
  await product.agent(
    "slow",
    `${door.wait}; env > seen.txt; sed -i "s/$API_KEY/hidden/" seen.txt; echo "said $API_KEY"; echo "summary $API_KEY" > "$TAZUNA_SUMMARY_FILE"`,
  );
  const secret = "never-to-be-stored-anywhere";
  const env = {
    API_KEY: secret,
    GH_TOKEN: `gh-${secret}`,
    TAZUNA_GITHUB_TOKEN: `tazuna-${secret}`,
    SSH_AUTH_SOCK: `/nowhere/${secret}`,
  };
  const started = await ask(product, ["run", "Change it", "--agent", "slow", "--detach"], { env });
  await door.reached();
  const commandLines = await Promise.all(
    (await readdir("/proc")).map((pid) => readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "")),
  );
  const engine = await readFile(`/proc/${await product.enginePid()}/environ`, "latin1");
  await door.open();
  const end = await ask(product, ["wait", started.document.task.id]);
  expect(ending(end.run)).toMatchObject({ status: "SUCCEEDED" });
  expect(end.run.summary).toBe("summary [redacted]");
  const seen = await seenIn(product, end);
  expect(seen).toContain("API_KEY=hidden");
  expect(seen).not.toMatch(/GH_TOKEN|TAZUNA_GITHUB_TOKEN|SSH_AUTH_SOCK/);
  expect([...commandLines, engine].filter((text) => text.includes(secret))).toEqual([]);
  await product.killEngine();
  const files = await readdir(product.home, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile() && !file.parentPath.includes("worktrees"))
    .map(async (file) => readFile(join(file.parentPath, file.name), "latin1"));
  expect((await Promise.all(texts)).filter((text) => text.includes(secret))).toEqual([]);
});

test(
  deep("git of a run has the token of the asking shell, else the engine's, each for its own host"),
  async () => {
    await using product = await runningProduct();
    const password = { user: "x-access-token", password: "token-of-the-shell" };
    await using server = await gitHttpServer(dirname(product.origin), { password });
    await product.sandbox.git(product.repository, ["remote", "set-url", "origin", server.url("origin.git")]);
    const env = { TAZUNA_GITHUB_TOKEN: password.password, GITHUB_API_URL: server.url("api/v3") };
    const first = await ask(product, run);
    expect(ending(first.run)).toMatchObject({ failure: "fetch_failed" });
    const retried = await ask(product, ["retry", first.run.id], { env });
    expect(ending(retried.run)).toMatchObject({ outcome: "pushed" });

    await product.tazuna(["engine", "stop"]);
    await product.tazuna(["list"], { env });
    const byEngine = await ask(product, run);
    expect(ending(byEngine.run)).toMatchObject({ outcome: "pushed" });
    const foreign = { GITHUB_API_URL: "http://127.0.0.1:9" };
    const elsewhere = await ask(product, run, { env: foreign });
    expect(ending(elsewhere.run)).toMatchObject({ outcome: "pushed" });
  },
);

test(
  deep("after a restart of the engine a run goes on with the engine's own environment, and says so"),
  async () => {
    await using product = await runningProduct();
    await using door = gate(product, "first");
    await product.agent("slow", `${door.wait}; echo Done.`);
    await product.configure({ limits: { parallel: 1 } });
    const slow = await ask(product, ["run", "Wait", "--agent", "slow", "--detach"], { env: { WHO: "gone" } });
    await door.reached();
    const queued = await ask(product, [...run, "--detach"], { env: { WHO: "gone" } });
    await product.killEngine();
    await product.tazuna(["list"]);
    await door.open();
    const end = await ask(product, ["wait", queued.document.task.id]);
    expect([await seenIn(product, end), noteCodes(end.run)]).toEqual(["", ["environment_lost"]]);
    const shown = await product.tazuna(["show", end.run.id]);
    expect(shown.stdout).toContain("engine's own environment");
    const first = await ask(product, ["wait", slow.document.task.id]);
    expect(noteCodes(first.run)).toEqual(["environment_lost"]);
  },
);

test(
  deep(
    "an agent's own summary holds no secret of the shell that asked, though its engine was killed meanwhile",
  ),
  async () => {
    await using product = await startProduct();
    await using door = gate(product, "killed");
    const secret = "correct-horse-battery";
    await product.agent(
      "agent",
      `${door.wait}; echo more > more.txt; printf 'It used %s.' "$SERVICE_PASSWORD" > "$TAZUNA_SUMMARY_FILE"`,
    );
    const begun = await ask(product, [...run, "--detach"], { env: { SERVICE_PASSWORD: secret } });
    await door.reached();
    await product.killEngine();
    await product.tazuna(["list"]);
    await door.open();
    const end = await ask(product, ["wait", begun.run.id]);
    expect(ending(end.run)).toMatchObject({ status: "SUCCEEDED" });
    expect(end.run.summary).toBe("It used [redacted].");
    const dir = join(product.home, "runs", end.run.id);
    const files = await readdir(dir, { recursive: true, withFileTypes: true });
    const texts = files
      .filter((entry) => entry.isFile())
      .map((entry) => readFile(join(entry.parentPath, entry.name), "utf8"));
    expect((await Promise.all(texts)).filter((text) => text.includes(secret))).toEqual([]);
  },
);
