/** Knocks at every door of the product in the wrong way, and follows what each says. */
import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { refused } from "../../helpers/journey.ts";
import type { Product } from "../../helpers/product.ts";
import { typed } from "./follow.ts";
import { corrected, type Scene } from "./obey.ts";

const BIN = join(import.meta.dir, "../../../bin/tazuna");

/** The data folder and the engine. */
export const THE_ENGINE: Scene = {
  title: "an engine that cannot begin",
  codes: ["data_folder_unusable", "database_corrupt", "database_newer"],
  async play(product, obey) {
    const home = { TAZUNA_HOME: "/proc/tazuna" };
    const elsewhere = (where: string) => async () => Object.assign(home, { TAZUNA_HOME: where });
    const list = ["list"];
    const other = join(product.home, "..", "other home");
    await obey({
      code: "data_folder_unusable",
      args: list,
      where: { env: home },
      says: "TAZUNA_HOME",
      person: elsewhere(other),
      type: "again",
    });
    await product.tazuna(["engine", "stop"], { env: home });
    const lock = join(product.home, "engine.lock");
    await mkdir(product.home, { recursive: true });
    await writeFile(lock, "something else");
    const person = async (remedy: string) =>
      void (await typed(product, /`(mv [^`]+)`/.exec(remedy)?.[1] ?? "false"));
    await obey({ code: "database_corrupt", args: list, person, type: "again" });
    await product.tazuna(["engine", "stop"]);
    const file = join(product.home, "tazuna.db");
    newer(file);
    const env = { TAZUNA_HOME: product.home };
    await obey({
      code: "database_newer",
      args: list,
      where: { env },
      says: "TAZUNA_HOME",
      person: async () => Object.assign(env, { TAZUNA_HOME: other }),
      type: "again",
    });
    await product.tazuna(["engine", "stop"], { env });
    for (const name of [file, `${file}-wal`, `${file}-shm`]) await rm(name, { force: true });
    await writeFile(file, "no database at all, though it is long enough to be read as one".repeat(200));
    await obey({
      code: "database_corrupt",
      args: list,
      person: () => asDoctorSays(product),
      type: "commands and again",
    });
  },
};

function newer(file: string): void {
  const database = new Database(file);
  const [{ name } = { name: "" }] = database
    .query<{ name: string }, []>("select name from sqlite_master where name like '%migration%'")
    .all();
  database.run(`update ${name} set name = 'z' || name where name = (select max(name) from ${name})`);
  database.close();
}

/** The commands of the finding are for a shell. */
async function asDoctorSays(product: Product): Promise<void> {
  const { findings } = (await product.tazuna(["doctor", "--json"])).json<{
    findings: readonly { id: string; remedy: string | null }[];
  }>();
  const remedy = findings.find(({ id }) => id === "database")?.remedy ?? "";
  expect(remedy).toContain(product.home);
  for (const [, line = ""] of remedy.matchAll(/`([^`]+)`/g))
    expect(await typed(product, line)).toMatchObject({ code: 0 });
}

/** Ports, tools and policies. */
export const SERVERS_AND_TOOLS: Scene = {
  title: "servers and tools",
  codes: [
    "cannot_listen",
    "not_loopback",
    "weak_token",
    "unknown_tool",
    "bad_usage",
    "no_such_folder",
    "no_worktree",
    "outside_attempt",
    "bad_policy",
    "engine_running",
  ],
  async play(product, obey, done) {
    const taken = createServer();
    await new Promise<void>((done) => taken.listen(0, "127.0.0.1", done));
    const { port } = taken.address() as { port: number };
    const [serve, mcp] = [
      ["serve", "--port", String(port)],
      ["mcp", "--http", String(port)],
    ];
    for (const args of [serve, mcp]) await starts(product, done, args, { code: "cannot_listen" });
    taken.close();
    await starts(product, done, ["serve", "--port", "0", "--host", "0.0.0.0"], { code: "not_loopback" });
    await starts(product, done, ["mcp", "--http", "0"], {
      code: "weak_token",
      env: { TAZUNA_MCP_TOKEN: "x" },
      unset: "TAZUNA_MCP_TOKEN",
    });
    await obey({
      code: "unknown_tool",
      args: ["tool", "read_fiel", "{}"],
      says: "`read_file`",
      type: "again",
      again: ["tool", "read_file", '{"path":"README.md"}'],
    });
    await obey({
      code: "bad_usage",
      args: ["tool", "tree", "{"],
      type: "again",
      again: ["tool", "tree", "{}"],
    });
    await obey({
      code: "no_such_folder",
      args: ["tool", "tree", "{}", "--workspace", "/nowhere"],
      says: /leave out/,
      type: "corrected",
    });
    const attempt = { TAZUNA_ATTEMPT: "x", TAZUNA_WORKSPACE: "" };
    const env = { ...attempt };
    await obey({
      code: "no_worktree",
      args: ["tool", "tree", "{}"],
      where: { env },
      says: "Unset TAZUNA_ATTEMPT",
      person: async () => Object.assign(env, { TAZUNA_ATTEMPT: "" }),
      type: "again",
    });
    const bound = { TAZUNA_ATTEMPT: "x", TAZUNA_WORKSPACE: product.repository };
    await obey({
      code: "outside_attempt",
      args: ["tool", "tree", "{}", "--workspace", product.origin],
      where: { env: bound },
      type: "corrected",
    });
    const policy = join(product.home, "policy.json");
    await mkdir(product.home, { recursive: true });
    await writeFile(policy, "[]");
    const write = async (remedy: string) =>
      writeFile(policy, (/`(\{[^`]+\})`/.exec(remedy)?.[1] ?? "").replace('"read_file"', '"tree"'));
    await obey({
      code: "bad_policy",
      args: ["tool", "tree", "{}", "--policy", policy],
      person: write,
      type: "again",
    });
    await product.tazuna(["list"]);
    await obey({ code: "engine_running", args: ["serve"], type: "commands" });
  },
};

interface Start {
  readonly code: string;
  readonly env?: Record<string, string>;
  /** The variable that the remedy wants to be unset. */
  readonly unset?: string;
}

/** A server that is refused, and that begins once the remedy was done. */
async function starts(
  product: Product,
  done: Set<string>,
  args: readonly string[],
  { code, env = {}, unset }: Start,
): Promise<void> {
  const { error } = await refused(product, args, { env });
  expect([error.code, error.remedy]).toEqual([
    code,
    expect.stringMatching(unset === undefined ? /`--/ : /unset it/),
  ]);
  const words = unset === undefined ? corrected(args, error.remedy) : args;
  const child = Bun.spawn([BIN, ...words, "--json"], {
    cwd: product.repository,
    env: { ...product.env, ...(unset === undefined ? env : {}) },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const { value } = await child.stdout.getReader().read();
  child.kill("SIGTERM");
  await child.exited;
  expect(new TextDecoder().decode(value)).toContain("http://127.0.0.1:");
  done.add(code);
}
