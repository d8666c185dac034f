/** Tells that the server hands out the built web UI, and no other file, whatever an address looks like. */
import { expect, test } from "bun:test";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { readWebFiles } from "../../src/app/server/web-files.ts";
import { type DoorServer, doorServer } from "../helpers/door-server.ts";
import { POSIX } from "../helpers/need.ts";
import { tempDir } from "../helpers/temp-dir.ts";

const SECRET = "a file of nobody else";
const PAGE = "<!doctype html><title>page</title>";

/** `dist/web` with a page and a script, and secrets around and below it. */
async function built() {
  const folder = await tempDir();
  const web = join(folder.path, "dist/web");
  await mkdir(join(web, "assets"), { recursive: true });
  await mkdir(join(folder.path, "outside"));
  for (const name of [
    "secret.js",
    "dist/secret.js",
    "outside/secret.js",
    "dist/web/secret.txt",
    "dist/web/.env",
  ])
    await writeFile(join(folder.path, name), SECRET);
  await writeFile(join(web, "index.html"), PAGE);
  await writeFile(join(web, "index.html.br"), brotliCompressSync(PAGE));
  await writeFile(join(web, "assets/app-1a.js"), "export {};");
  await writeFile(join(web, "assets/app-1a.js.map"), SECRET);
  await symlink(join(folder.path, "secret.js"), join(web, "assets/linked.js"));
  await symlink(join(folder.path, "secret.js"), join(web, "assets/app-1a.js.br"));
  await symlink(join(folder.path, "outside"), join(web, "linked"));
  const files = await readWebFiles(web);
  if (files === null) throw new Error("the page was not found");
  return { files, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** The whole answer to exactly this path; clients would tidy it first. */
function ask(door: DoorServer, path: string, headers: readonly string[] = []): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(door.host.split(":")[1]), "127.0.0.1");
    let answer = "";
    socket.on("data", (chunk) => {
      answer += String(chunk);
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
    socket.write(
      `${[`GET ${path} HTTP/1.1`, `Host: ${door.host}`, ...headers, "Connection: close"].join("\r\n")}\r\n\r\n`,
    );
  });
}

const AROUND = [
  "/../secret.js",
  "/../../secret.js",
  "/assets/../../secret.js",
  "/assets/..%2f..%2fsecret.js",
  "/assets/%2e%2e/%2e%2e/secret.js",
  "/assets/%2e%2e%2f%2e%2e%2fsecret.js",
  "/assets/%252e%252e%252fsecret.js",
  "/..%5c..%5csecret.js",
  "/assets\\..\\..\\secret.js",
  "/assets/....//....//secret.js",
  "//secret.js",
  "///etc/passwd",
  "/%2fetc%2fpasswd",
  "/file:///etc/passwd",
  "/assets/app-1a.js%00.txt",
  "/assets/app-1a.js/",
  "/assets/app-1a.js/../../../secret.js",
  "/assets/APP-1A.JS",
  "/assets/app-1a.js.map",
  "/assets/linked.js",
  "/linked/secret.js",
  "/secret.txt",
  "/.env",
  "/assets",
  "/assets/",
  "/__proto__",
  "/constructor",
  "/%c0%ae%c0%ae/secret.js",
  "/%ff%fe",
  "/%",
  "/tasks/../../secret.js",
  "/tasks/..%2f..%2fsecret.js",
  `/${"../".repeat(500)}etc/passwd`,
  `/${"a".repeat(8_000)}`,
];

test.skipIf(POSIX.missing)(`no address leads to a file beside the web UI${POSIX.why}`, async () => {
  await using web = await built();
  await using door = doorServer({ web: web.files });
  const script = await ask(door, "/assets/app-1a.js", ["Accept-Encoding: br"]);
  expect([script.includes("export {};"), script.includes(SECRET)]).toEqual([true, false]);
  for (const path of AROUND) {
    const answer = await ask(door, path);
    const [status = ""] = /(?<=^HTTP\/1\.1 )\d+/.exec(answer) ?? [];
    const page = answer.includes(PAGE);
    expect([path, answer.includes(SECRET) || answer.includes("root:"), answer.includes("export {}")]).toEqual(
      [path, false, false],
    );
    // The page itself is at every address of a screen, and holds nothing of anybody.
    expect([path, page ? "200" : status]).toEqual([path, page ? "200" : expect.stringMatching(/^4\d\d$/)]);
  }
  expect((await door.call("/api/v1/tasks")).status).toBe(200);
});

test("a file that the build compressed is sent so to a browser that takes it", async () => {
  await using web = await built();
  await using door = doorServer({ web: web.files });
  const asked = async (encodings: string) => {
    const answer = await door.call("/index.html", { headers: { "accept-encoding": encodings } });
    return [answer.headers.get("content-encoding"), answer.headers.get("vary"), await answer.text()];
  };
  expect(await asked("gzip, deflate, br")).toEqual(["br", "accept-encoding", PAGE]);
  expect(await asked("gzip")).toEqual([null, "accept-encoding", PAGE]);
});

test("an address that is no screen shows the page to a person, and a problem to a program", async () => {
  await using web = await built();
  await using door = doorServer({ web: web.files });
  const asked = async (path: string, accept: string) => {
    const answer = await door.call(path, { headers: { accept } });
    return [answer.status, (await answer.text()) === PAGE];
  };
  expect(await asked("/new", "text/html,*/*;q=0.8")).toEqual([404, true]);
  expect(await asked("/new", "*/*")).toEqual([404, false]);
  expect(await asked("/api/v1/new", "text/html")).toEqual([404, false]);
  expect(await asked("/mcp", "text/html")).not.toEqual([200, true]);
});

test("an address that is longer than any head may be is refused, and the server goes on", async () => {
  await using web = await built();
  await using door = doorServer({ web: web.files });
  expect(await ask(door, `/${"a".repeat(100_000)}`)).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect((await door.call("/api/v1/tasks")).status).toBe(200);
});

test("pages run scripts of the server alone, and are framed by nobody", async () => {
  await using web = await built();
  await using door = doorServer({ web: web.files });
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    "img-src 'self' data:",
    "worker-src 'self'",
    "manifest-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  const cached: Record<string, string | null> = {};
  for (const path of ["/", "/tasks/new", "/assets/app-1a.js", "/sign-in", "/api/v1/tasks", "/nothing"]) {
    const { headers } = await door.bare(path);
    expect(headers.get("content-security-policy")?.split("; ")).toEqual(policy);
    expect([headers.get("x-frame-options"), headers.get("x-content-type-options")]).toEqual([
      "DENY",
      "nosniff",
    ]);
    cached[path] = headers.get("cache-control");
  }
  expect(cached).toEqual({
    "/": "no-cache",
    "/tasks/new": "no-cache",
    "/assets/app-1a.js": "public, max-age=31536000, immutable",
    "/sign-in": "no-store",
    "/api/v1/tasks": "no-store",
    "/nothing": "no-store",
  });
});
