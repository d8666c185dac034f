/** Runs a Postgres that a test may stop and start again; the one of the whole run serves all others. */
import { appendFile, chmod, chown, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { isRunning } from "./is-running.ts";
import type { Machine } from "./network/machines.ts";
import { postgres } from "./postgres-server.ts";
import { tempDir } from "./temp-dir.ts";
import { waitFor } from "./wait-for.ts";

export interface OwnPostgres extends AsyncDisposable {
  /** By a socket that all have who see its folder. */
  readonly url: string;
  /** By the network, if it has a machine of its own there; else the same. */
  readonly networkUrl: string;
  /** As an administrator does: sessions are ended, the server goes. */
  stop(): Promise<void>;
  /** As a crash does: nothing is written before it goes. */
  crash(): Promise<void>;
  start(): Promise<void>;
}

/** Ends the server with the process that needs it: a test that ran out of time leaves none behind. */
const TENDED = `
  runner=$1; folder=$2; shift 2
  "$@" & server=$!
  while kill -0 "$runner" 2>/dev/null && kill -0 "$server" 2>/dev/null; do sleep 0.5; done
  kill -QUIT "$server" 2>/dev/null
  wait
  kill -0 "$runner" 2>/dev/null || rm -rf "$folder"
`;

/** On this machine unless told. */
export async function ownPostgres(machine: Machine | null = null): Promise<OwnPostgres> {
  if ("missing" in postgres) throw new Error(postgres.missing);
  const { as, bin, owner } = postgres;
  const folder = await tempDir();
  await chmod(folder.path, 0o755);
  const [data, socket] = [join(folder.path, "data"), join(folder.path, "socket")];
  for (const path of [data, socket]) {
    await mkdir(path, { mode: 0o700 });
    if (owner !== null) await chown(path, owner.uid, owner.gid);
  }
  const run = (program: string, ...args: string[]) =>
    Bun.spawn([...as, join(bin, program), ...args], { cwd: "/", stdio: ["ignore", "ignore", "ignore"] });
  await run("initdb", `--pgdata=${data}`, "--username=postgres", "--auth=trust", "--locale=C", "--no-sync")
    .exited;
  if (machine !== null) await appendFile(join(data, "pg_hba.conf"), "host all all samenet trust\n");
  const url = `postgres://postgres@/postgres?host=${encodeURIComponent(socket)}`;
  const pid = async () => {
    const text = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "");
    const first = Number(text.split("\n")[0] || "0");
    return first > 0 && isRunning(first) ? first : null;
  };
  const start = async () => {
    const program = [...(machine?.behind ?? []), ...as, join(bin, "postgres")];
    const listens = ["-k", socket, "-h", machine?.address ?? ""];
    const server = [...program, "-D", data, ...listens, "-c", "fsync=off"];
    // Not as our own child, which the test runner may end. It watches for the end of the run itself.
    const argv = ["/bin/sh", "-c", TENDED, "sh", String(process.pid), folder.path, ...server];
    Bun.spawn(["/bin/sh", "-c", '"$@" &', "sh", ...argv], {
      cwd: "/",
      stdio: ["ignore", "ignore", "ignore"],
      detached: true,
    });
    await waitFor("the server to answer", () => answers(url), { withinMs: 120_000 });
  };
  const end = async (signal: NodeJS.Signals) => {
    const running = await pid();
    if (running === null) return;
    process.kill(running, signal);
    await waitFor("the server to be gone", () => !isRunning(running), { withinMs: 120_000 });
  };
  const stop = () => end("SIGINT");
  await start();
  return {
    url,
    networkUrl: machine === null ? url : `postgres://postgres@${machine.address}:5432/postgres`,
    start,
    stop,
    crash: () => end("SIGQUIT"),
    [Symbol.asyncDispose]: async () => {
      await stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  // A server that is just ending may break it at any moment.
  client.on("error", () => undefined);
  return client
    .connect()
    .then(
      () => true,
      () => false,
    )
    .finally(() => client.end().catch(() => undefined));
}
