/** Refuses to join a server for every reason that a worker finds by itself, and leaves the invitation good then. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readSettings } from "../../src/app/process/settings.ts";
import { joinServer } from "../../src/app/worker/join-server.ts";
import { readJoinLink } from "../../src/contract/join-link.ts";
import { aheadMs } from "../../src/domain/worker/clock-offset.ts";
import { addressWithLogin, isOnThisMachine } from "../../src/domain/worker/worker-address.ts";
import { MIGRATIONS } from "../../src/storage/migrations/migrations.ts";
import { tempDir } from "../helpers/temp-dir.ts";

setDefaultTimeout(180_000);

const SECRET = `tzj_${"A1_-".repeat(10)}abc`;
const SCHEMA = Object.keys(MIGRATIONS).sort().at(-1) ?? "";

test("an address is that of an invitation, over https or on this machine", () => {
  const read = (text: string) => readJoinLink(text);
  expect(read(`https://tazuna.example/join/${SECRET}`)).toEqual({
    origin: "https://tazuna.example",
    secret: SECRET,
  });
  expect(read(` http://127.0.0.1:7460/join/${SECRET}\n`)).toMatchObject({ origin: "http://127.0.0.1:7460" });
  expect(read(`http://[::1]:7460/join/${SECRET}`)).toMatchObject({ secret: SECRET });
  expect(read(`http://tazuna.example/join/${SECRET}`)).toBe("insecure");
  expect(read(`http://127.0.0.1.example/join/${SECRET}`)).toBe("insecure");
  for (const text of [
    "",
    SECRET,
    `ftp://tazuna.example/join/${SECRET}`,
    "https://tazuna.example/join/tzj_short",
    `https://tazuna.example/join/${SECRET}x`,
    `https://tazuna.example/other/${SECRET}`,
  ])
    expect(read(text)).toBe("unreadable");
});

test("a clock is measured against the middle of the round trip", () => {
  expect(aheadMs({ sentAt: 1_000, receivedAt: 1_400, theirs: 1_200 })).toBe(0);
  expect(aheadMs({ sentAt: 61_000, receivedAt: 61_400, theirs: 1_200 })).toBe(60_000);
  expect(aheadMs({ sentAt: 1_000, receivedAt: 1_000, theirs: 1_012 })).toBe(-12);
});

test("an address of a Postgres keeps all but its login", () => {
  const login = { user: "tazuna_worker_1", password: "a/b+c" };
  const given = (address: string) => addressWithLogin(address, login);
  const own = "tazuna_worker_1:a%2Fb%2Bc@";
  expect(given("postgres://me:p%40ss@db.example:5433/tazuna?sslmode=verify-full")).toBe(
    `postgres://${own}db.example:5433/tazuna?sslmode=verify-full`,
  );
  expect(given("postgresql://db.example/tazuna")).toBe(`postgresql://${own}db.example/tazuna`);
  expect(given("postgres://me@/tazuna?host=%2Frun%2Fdb&password=x&user=y")).toBe(
    `postgres://${own}/tazuna?host=%2Frun%2Fdb`,
  );
  const local = [
    "postgres:///tazuna",
    "postgres://me@/tazuna?host=%2Frun%2Fdb",
    "postgres://localhost:5432/tazuna",
    "postgres://me:a@127.0.0.1/tazuna",
    "postgres://[::1]/tazuna",
  ];
  expect(local.filter((address) => !isOnThisMachine(address))).toEqual([]);
  expect(isOnThisMachine("postgres://me@db.example:5432/tazuna")).toBe(false);
  expect(isOnThisMachine("postgres://me@/tazuna?host=db.example")).toBe(false);
});

/** A server that knows one invitation, and counts who uses it. */
function invitingServer(offer: Readonly<Record<string, unknown>> = {}) {
  const used: unknown[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      if (request.method === "POST") {
        used.push(await request.json());
        return Response.json({ name: "mac-7", database: "postgres://w:p@db.example/tazuna", shared: false });
      }
      const now = new Date().toISOString();
      return Response.json({ version: "9.9.9", protocol: 1, schema: SCHEMA, now, ...offer });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/join/${SECRET}`,
    used,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** A folder of programs: git as it is here, or another one. */
async function programs(folder: string, { git }: { readonly git: string | null }): Promise<string> {
  await mkdir(folder);
  for (const name of ["sh", "env"]) await symlink(Bun.which(name) ?? "", join(folder, name));
  if (git === null) return folder;
  await writeFile(join(folder, "git"), git);
  await chmod(join(folder, "git"), 0o755);
  return folder;
}

const GIT = `#!/bin/sh\nexec '${Bun.which("git")}' "$@"\n`;

async function machine({ git = GIT }: { readonly git?: string | null } = {}) {
  const folder = await tempDir();
  const path = await programs(join(folder.path, "bin"), { git });
  const home = join(folder.path, "home");
  const settings = { ...readSettings(), home, env: { PATH: path, HOME: folder.path } };
  return {
    home,
    join: async (url: string, options: { readonly allowGuard?: boolean } = {}) => {
      const wanted = { url, name: null, slots: 4, allowGuard: options.allowGuard ?? true };
      const joined = await joinServer(settings, wanted);
      return joined.isOk() ? "joined" : joined.error;
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

test("a worker that fits joins, and what it got is in its data folder for its owner alone", async () => {
  await using server = invitingServer();
  await using here = await machine();
  expect(await here.join(server.url)).toBe("joined");
  expect(server.used).toEqual([expect.objectContaining({ slots: 4, protocol: 1, name: null })]);
  const again = await here.join(server.url);
  expect(again).toMatchObject({ code: "already_joined", remedy: expect.stringContaining("`tazuna worker`") });
  expect(server.used).toHaveLength(1);
});

const OFFERS = [
  ["a server of another protocol", { protocol: 2 }, "other_version", "This worker is older"],
  ["a server with newer tables", { schema: "9999-later" }, "other_version", "This worker is older"],
  ["a server with older tables", { schema: "0001-first-tables" }, "other_version", "The server is older"],
  ["a clock that is behind", { now: "2999-01-01T00:00:00.000Z" }, "clock_off", "behind"],
  ["a clock that is ahead", { now: "2001-01-01T00:00:00.000Z" }, "clock_off", "ahead of"],
  ["another program", { version: 7 }, "other_version", "knows no invitations"],
] as const;

for (const [title, offer, code, words] of OFFERS)
  test(`${title} is refused before the invitation is used`, async () => {
    await using server = invitingServer(offer);
    await using here = await machine();
    const refused = await here.join(server.url);
    expect(refused).toMatchObject({ code, message: expect.stringContaining(words) });
    expect(refused).toHaveProperty("remedy", expect.stringMatching(/invite again|again\.$/));
    expect(server.used).toEqual([]);
    expect(await readdir(here.home)).not.toContain("worker.json");
  });

const OLD = "#!/bin/sh\necho git version 2.20.1\n";
const MACHINES = [
  ["no git", { git: null }, {}, "git_missing", "Install git"],
  ["an old git", { git: OLD }, {}, "git_missing", "Install git"],
  ["no sandbox", {}, { allowGuard: false }, "sandbox_unavailable", "--allow-guard"],
] as const;

for (const [title, tools, options, code, remedy] of MACHINES)
  test(`a machine with ${title} is refused before the invitation is used`, async () => {
    await using server = invitingServer();
    await using here = await machine(tools);
    expect(await here.join(server.url, options)).toMatchObject({
      code,
      remedy: expect.stringContaining(remedy),
    });
    expect(server.used).toEqual([]);
  });

const FOLDERS = [
  ["has a database of its own", "tazuna.db", "", "folder_in_use"],
  ["has a damaged worker.json", "worker.json", "{", "worker_file_unusable"],
] as const;

for (const [title, name, text, code] of FOLDERS)
  test(`a data folder that ${title} is refused`, async () => {
    await using server = invitingServer();
    await using here = await machine();
    await mkdir(here.home);
    await writeFile(join(here.home, name), text);
    expect(await here.join(server.url)).toMatchObject({ code });
    expect(server.used).toEqual([]);
  });

test("a data folder that is a file is called that, and its worker.json is not blamed", async () => {
  await using server = invitingServer();
  await using here = await machine();
  await writeFile(here.home, "");
  expect(await here.join(server.url)).toMatchObject({
    code: "data_folder_unusable",
    message: expect.stringContaining("is not a folder"),
  });
});

test("a server that does not answer, and a foreign address, are named", async () => {
  await using here = await machine();
  const gone = invitingServer();
  await gone[Symbol.asyncDispose]();
  expect(await here.join(gone.url)).toMatchObject({
    code: "server_unreachable",
    remedy: expect.stringContaining("--public-url"),
  });
  expect(await here.join(`http://tazuna.example/join/${SECRET}`)).toMatchObject({
    code: "join_link_insecure",
  });
  expect(await here.join("https://tazuna.example/")).toMatchObject({ code: "bad_join_link" });
});
