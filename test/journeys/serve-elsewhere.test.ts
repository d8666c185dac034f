/** Tells how a server is reached from elsewhere: by its own certificate, or through a trusted proxy, and else not. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readdir, readFile, readlink } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { makeCertificate, OPENSSL } from "../helpers/certificate.ts";
import { PATIENCE_MS } from "../helpers/journey.ts";
import { LINUX } from "../helpers/need.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

/** To Tazuna another machine's address, though packets to it stay on this one. */
const ELSEWHERE = "127.0.0.2";
const skip = LINUX.missing || OPENSSL === null;
const why = skip ? " (skipped: it needs Linux and openssl)" : "";

interface Served extends AsyncDisposable {
  readonly url: string;
  readonly link: string;
  readonly pid: number;
  readonly local: { readonly url: string; readonly token: string };
}

async function serve(product: Product, flags: readonly string[]): Promise<Served> {
  const started = Bun.spawn([join(import.meta.dir, "../../bin/tazuna"), "serve", "--json", ...flags], {
    cwd: product.repository,
    env: { ...product.env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const { value } = await started.stdout.getReader().read();
  const { url, link } = JSON.parse(new TextDecoder().decode(value)) as { url: string; link: string };
  const local = JSON.parse(await readFile(join(product.home, "server.json"), "utf8"));
  return {
    ...{ url, link, local, pid: started.pid },
    [Symbol.asyncDispose]: async () => {
      started.kill("SIGTERM");
      await started.exited;
    },
  };
}

/** What is said to the address, from the given one of this machine. */
function ask(
  url: string,
  how: {
    readonly from: string;
    readonly path: string;
    readonly method?: string;
    readonly headers?: Record<string, string>;
  },
): Promise<{ readonly status: number; readonly headers: Record<string, unknown>; readonly text: string }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const { from, path, method = "GET", headers = {} } = how;
    const asked = request({ hostname, port, localAddress: from, path, method, headers }, (answer) => {
      let text = "";
      answer.on("data", (chunk) => {
        text += String(chunk);
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    asked.on("error", reject);
    asked.end();
  });
}

test.skipIf(skip)(
  `with a certificate, browsers elsewhere come by https, and commands here go on${why}`,
  async () => {
    await using product = await startProduct();
    const files = await makeCertificate(product.sandbox.root, { names: `DNS:box.test,IP:${ELSEWHERE}` });
    await using served = await serve(product, [
      ...["--host", ELSEWHERE, "--port", "0", "--tls-cert", files.cert, "--tls-key", files.key],
    ]);
    const ca = await readFile(files.cert, "utf8");
    const over = (path: string, init: RequestInit = {}) =>
      fetch(`${served.url}${path}`, { redirect: "manual", tls: { ca }, ...init });
    expect(served.url).toStartWith(`https://${ELSEWHERE}:`);
    expect(served.link).toStartWith(`${served.url}/sign-in?code=`);

    const signedIn = await over(served.link.slice(served.url.length));
    const set = signedIn.headers.get("set-cookie") ?? "";
    expect(set).toMatch(/^__Host-tazuna_\d+=.*Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    const cookie = set.split(";")[0] ?? "";
    expect((await over("/api/v1/tasks", { headers: { cookie } })).status).toBe(200);
    expect((await over("/api/v1/tasks")).status).toBe(401);

    const change = (origin: string) =>
      over("/api/v1/links", {
        method: "POST",
        body: "{}",
        headers: { cookie, origin, "content-type": "application/json" },
      });
    const plain = served.url.replace("https:", "http:");
    const origins = [served.url, plain, "null", served.local.url, "https://box.test"];
    const answers = await Promise.all(origins.map(async (origin) => (await change(origin)).status));
    expect(answers).toEqual([200, 403, 403, 403, 403]);
    expect((await over("/api/v1/health", { headers: { host: "evil.example" } })).status).toBe(403);
    const named = `box.test:${new URL(served.url).port}`;
    expect((await over("/api/v1/health", { headers: { host: named } })).status).toBe(200);
    expect(await fetch(`${plain}/api/v1/health`).catch(() => "no http")).toBe("no http");

    // A shell is opened from this machine alone, unless a person says otherwise.
    const terminal = async (url: string, headers: Record<string, string>) => {
      const how = { method: "POST", body: '{"columns":80,"rows":24}', tls: { ca } };
      const type = { "content-type": "application/json" };
      const answer = await fetch(`${url}/api/v1/attempts/none/terminal`, {
        ...how,
        headers: { ...headers, ...type },
      });
      return ((await answer.json()) as { code: string }).code;
    };
    const browser = { cookie, origin: served.url };
    expect(await terminal(served.url, browser)).toBe("terminal_off");
    const program = { authorization: `Bearer ${served.local.token}` };
    expect(await terminal(served.local.url, program)).toBe("not_found");
    await product.configure({ terminal: "anywhere" });
    expect(await terminal(served.url, browser)).toBe("not_found");

    // Commands of this machine speak to a socket of their own, which nothing else reaches.
    expect(served.local.url).toStartWith("http://127.0.0.1:");
    expect((await product.tazuna(["list", "--json"])).code).toBe(0);
    expect(await product.enginePid()).toBe(served.pid);
    const opened = await product.tazuna(["open", "--json"]);
    expect(opened.json<{ url: string }>().url).toStartWith(`${served.url}/sign-in?code=`);
    const { port } = new URL(served.local.url);
    expect(await fetch(`http://${ELSEWHERE}:${port}/api/v1/health`).catch(() => "closed")).toBe("closed");
  },
);

test.skipIf(skip)(
  `behind a proxy, only the proxy is answered, and only it says who came how${why}`,
  async () => {
    const [proxy, stranger] = ["127.0.0.9", "127.0.0.10"];
    await using product = await startProduct();
    await using served = await serve(product, [
      ...["--host", ELSEWHERE, "--port", "0", "--trust-proxy", `${proxy}/32`],
      ...["--public-url", "https://tazuna.test"],
    ]);
    expect([served.url, served.link.startsWith("https://tazuna.test/sign-in?code=")]).toEqual([
      "https://tazuna.test",
      true,
    ]);
    const at = await listeningOf(served.pid);
    const forwarded = { host: "tazuna.test", "x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.7" };
    const status = async (from: string, headers: Record<string, string>) => {
      const { status, text } = await ask(at, { from, path: "/api/v1/health", headers });
      return status === 200 ? 200 : JSON.parse(text).code;
    };
    expect(await status(proxy, forwarded)).toBe(200);
    expect(await status(proxy, { ...forwarded, host: "10.0.0.1", "x-forwarded-host": "tazuna.test" })).toBe(
      200,
    );
    expect(await status(stranger, forwarded)).toBe("not_through_proxy");
    expect(await status("127.0.0.1", forwarded)).toBe("not_through_proxy");
    expect(await status(proxy, { ...forwarded, "x-forwarded-proto": "http" })).toBe("not_over_https");
    expect(await status(proxy, { ...forwarded, "x-forwarded-proto": "https, http" })).toBe("not_over_https");
    expect(await status(proxy, { host: "tazuna.test" })).toBe("not_over_https");
    expect(await status(proxy, { ...forwarded, host: "evil.example" })).toBe("host_not_allowed");
    expect(await status(proxy, { ...forwarded, "x-forwarded-host": "evil.example" })).toBe(
      "host_not_allowed",
    );
    expect(await status(proxy, { ...forwarded, "x-forwarded-host": "tazuna.test, evil.example" })).toBe(
      "host_not_allowed",
    );
    expect(await status(proxy, { ...forwarded, origin: "http://tazuna.test" })).toBe("origin_not_allowed");
    expect(await status(proxy, { ...forwarded, origin: "https://tazuna.test" })).toBe(200);

    const path = new URL(served.link).pathname + new URL(served.link).search;
    const signedIn = await ask(at, { from: proxy, path, headers: forwarded });
    expect(String(signedIn.headers["set-cookie"])).toMatch(/^__Host-tazuna_443=.*; Secure; SameSite=Strict$/);

    // What a program of this machine says about proxies is not believed.
    const spoofed = await fetch(`${served.local.url}/api/v1/health`, {
      headers: { "x-forwarded-host": "tazuna.test", "x-forwarded-proto": "https", host: "tazuna.test" },
    });
    const local = await fetch(`${served.local.url}/api/v1/tasks`, {
      headers: { authorization: `Bearer ${served.local.token}`, "x-forwarded-host": "evil.example" },
    });
    expect([spoofed.url.startsWith("http://127.0.0.1:"), local.status]).toEqual([true, 200]);
    expect((await product.tazuna(["list"])).code).toBe(0);
  },
);

/** The address at which the process listens elsewhere, as the system lists it. */
async function listeningOf(pid: number): Promise<string> {
  return waitFor("its socket", async () => {
    const table = await readFile(`/proc/${pid}/net/tcp`, "utf8");
    const own = new Set(await socketsOf(pid));
    const line = table.split("\n").find((each) => {
      const [, local = "", , state, , , , , , inode = ""] = each.trim().split(/\s+/);
      return local.startsWith("0200007F:") && state === "0A" && own.has(inode);
    });
    const port = line?.trim().split(/\s+/)[1]?.split(":")[1];
    return port === undefined ? null : `http://${ELSEWHERE}:${Number.parseInt(port, 16)}`;
  });
}

async function socketsOf(pid: number): Promise<readonly string[]> {
  const names = await readdir(`/proc/${pid}/fd`);
  const links = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => "")));
  return links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);
}

test("flags that would let anybody in are refused before anything starts (promise 7.1)", async () => {
  await using product = await startProduct();
  const tls = ["--tls-cert", "nowhere.pem", "--tls-key", "nowhere.pem"];
  for (const flags of [["--host", "0.0.0.0"], tls]) {
    const end = await product.tazuna(["serve", "--json", "--port", "0", ...flags]);
    const { code } = end.json<{ error: { code: string } }>().error;
    expect([end.code, code]).toEqual([2, flags === tls ? "bad_certificate" : "not_loopback"]);
  }
  expect(await Bun.file(join(product.home, "engine.lock")).exists()).toBe(false);
});
