/** Tells how `/mcp` on an engine's server gives clients the tools of a repository or of an attempt's worktree. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { PATIENCE_MS } from "../helpers/journey.ts";
import { dataOf, errorOf } from "../helpers/mcp.ts";
import { httpClient, INITIALIZE, post } from "../helpers/mcp-http.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

describe("/mcp on the server", () => {
  let product: Product;
  let worktree: string;
  let served: { readonly url: string; readonly token: string };

  /** The door for a folder; `query` behind it. */
  const door = (folder: string, query = "") => ({
    url: `${served.url}/mcp?workspace=${encodeURIComponent(folder)}${query}`,
    token: served.token,
  });

  beforeAll(async () => {
    const secrets = {
      GH_TOKEN: "a token of the user",
      HOOKS: "a secret of a webhook",
      TOLD: "another secret",
    };
    product = await startProduct({ env: secrets });
    await product.configure({
      forge: { webhook_secret_env: "HOOKS" },
      notify: { webhook_secret_env: "TOLD" },
    });
    await product.agent("writer", "echo written >new.txt");
    const ran = await product.tazuna(["run", "Write a file", "--agent", "writer", "--json"]);
    worktree = ran.json().attempts[0]?.worktree ?? "";
    served = JSON.parse(await readFile(join(product.home, "server.json"), "utf8"));
  });
  afterAll(() => product?.[Symbol.asyncDispose]());

  test("works in a repository that Tazuna knows, as `tazuna mcp` does there", async () => {
    await using http = await httpClient(door(product.repository));
    expect(dataOf(await http.call("git_status_summary"))).toMatchObject({
      repository_root: product.repository,
      branch: "main",
    });
    const made = await http.call("exec_command", { cwd: ".", command: ["git", "branch", "mine"] });
    expect(dataOf(made)).toMatchObject({ exit_code: 0 });
  });

  test("works in the worktree of an attempt as its agent does: git is read, the user's secrets are not there", async () => {
    await using http = await httpClient(door(worktree));
    expect(http.client.getInstructions()).toContain("Git may be read here, and nothing else");
    expect(dataOf(await http.call("git_status_summary"))).toMatchObject({ repository_root: worktree });
    const branch = await http.call("exec_command", { cwd: ".", command: ["git", "branch", "mine"] });
    expect(errorOf(branch)).toMatchObject({ code: "READ_ONLY" });
    const env = String(dataOf(await http.call("exec_command", { cwd: ".", command: ["env"] })).stdout);
    const isThere = ["token of", "secret", "TAZUNA_ATTEMPT="].map((words) => env.includes(words));
    expect(isThere).toEqual([false, false, true]);
    expect(dataOf(await http.call("get_current_status"))).toMatchObject({
      hasIssue: true,
      issue: "Write a file",
    });
  });

  test("read_only=true refuses every write", async () => {
    await using http = await httpClient(door(product.repository, "&read_only=true"));
    const written = await http.call("exec_command", { cwd: ".", command: ["true"] });
    expect(errorOf(written)).toMatchObject({ code: "READ_ONLY" });
  });

  test("a session is good for the folder that it began with", async () => {
    const begun = await post(door(product.repository), INITIALIZE);
    await begun.text();
    const headers = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
    const ping = { jsonrpc: "2.0", id: 2, method: "ping" };
    const statuses = await Promise.all(
      [door(product.repository), door(worktree), door(product.repository, "&read_only=true")].map(
        async (at) => {
          const response = await post(at, ping, headers);
          await response.text();
          return response.status;
        },
      ),
    );
    expect(statuses).toEqual([200, 404, 404]);
  });

  test("no other folder is handed out, and the address has to say which", async () => {
    await mkdir(join(product.repository, "src"), { recursive: true });
    const codes = await Promise.all(
      [
        door(join(product.repository, "src")),
        door(join(product.repository, "..")),
        door(product.home),
        door(join(product.home, "worktrees")),
        door("/"),
        door("/no/such/folder"),
        door("relative"),
        door(product.repository, "&read_only=yes"),
        door(product.repository, "&git=open"),
        { url: `${served.url}/mcp`, token: served.token },
      ].map(async (at) => {
        const response = await post(at, INITIALIZE);
        return [response.status, ((await response.json()) as { code: string }).code];
      }),
    );
    expect(codes).toEqual([
      ...Array(6).fill([404, "no_such_workspace"]),
      ...Array(4).fill([400, "bad_request"]),
    ]);
  });

  test("only the server's own bearer token opens it, and no page of another origin", async () => {
    const at = door(product.repository);
    const statuses = await Promise.all(
      [
        { authorization: "" },
        { authorization: "Bearer wrong" },
        { origin: "https://example.org" },
        { host: "example.org" },
      ].map(async (headers) => {
        const response = await post(at, INITIALIZE, headers);
        await response.text();
        return response.status;
      }),
    );
    expect(statuses).toEqual([401, 401, 403, 403]);
  });

  test("the browser's cookie does not open it", async () => {
    const linked = await product.tazuna(["open", "--json"]);
    const { url } = linked.json<{ url: string }>();
    const signedIn = await fetch(url, { redirect: "manual" });
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    const headers = { authorization: "", cookie, origin: served.url };
    expect(cookie).not.toBe("");
    expect((await post(door(product.repository), INITIALIZE, headers)).status).toBe(401);
  });

  test("a repository that is added later is known at once", async () => {
    const other = await product.sandbox.repository("other");
    expect((await post(door(other), INITIALIZE)).status).toBe(404);
    await product.tazuna(["repo", "add", other]);
    await using http = await httpClient(door(other));
    expect(dataOf(await http.call("git_status_summary"))).toMatchObject({ repository_root: other });
  });

  test("a server that stops takes the services of its clients along", async () => {
    const http = await httpClient(door(product.repository));
    const service = { name: "web", command: ["sleep", "300"], shell_mode: "direct", ready_after_ms: 0 };
    const { pid } = dataOf(await http.call("spawn_service", service)) as { readonly pid: number };
    const engine = (await product.enginePid()) ?? 0;
    process.kill(engine, "SIGTERM");
    await waitFor("the service to be gone", () => !Bun.spawnSync(["kill", "-0", String(pid)]).success);
    await http.client.close().catch(() => undefined);
  });
});
