/** Sets values over HTTP: the same files, checks and refusals as `config set`; a page may loosen nothing. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FactDocument } from "../../src/contract/endpoints/operations.ts";
import { httpApi } from "../helpers/http-api.ts";
import { PATIENCE_MS } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const jsonOf = async (path: string) => JSON.parse(await readFile(path, "utf8"));

/** Signs in by a one-time link, as a browser does; answers a caller with its cookie. */
async function asBrowser(product: Product) {
  const { client } = await httpApi(product);
  const { url } = (await client.link({}))._unsafeUnwrap();
  const { origin } = new URL(url);
  const signedIn = await fetch(url, { redirect: "manual" });
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  return (body: object) =>
    fetch(`${origin}/api/v1/settings`, {
      method: "PATCH",
      headers: { cookie, origin, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
}

test("a setting goes into its file as `config set` writes it, and is told as a fact", async () => {
  await using product = await startProduct();
  await product.configure({ copy: [] });
  await product.tazuna(["repo", "add", "."]);
  const api = await httpApi(product);
  const facts: FactDocument[] = [];
  const stop = new AbortController();
  const following = api.client.followFacts({
    after: null,
    signal: stop.signal,
    onOpen: () => {},
    onFact: (fact) => void facts.push(fact),
  });
  /** `byFile`: what the file's change told, and not the call. */
  const told = (byFile: boolean) =>
    facts.filter(({ kind, data }) => kind === "settings.changed" && (data.key === null) === byFile).length;
  const patch = (body: object) => api.json("/settings", { method: "PATCH", body });
  const own = join(product.home, "config.json");
  expect(await patch({ key: "limits.parallel", value: 3 })).toEqual({
    file: own,
    key: "limits.parallel",
    value: 3,
    unset: false,
    before: null,
  });
  expect(await jsonOf(own)).toEqual({ copy: [], limits: { parallel: 3 } });
  const [{ id, path }] = (await api.json("/repositories")).items;
  await patch({ key: "base", value: "main", repository: id });
  await patch({ key: "publish", value: "hold", repository: path, local: true });
  expect(await jsonOf(join(path, ".tazuna/config.json"))).toEqual({ base: "main" });
  expect(await jsonOf(join(path, ".tazuna/config.local.json"))).toEqual({ publish: "hold" });
  await waitFor("the facts", () => told(false) === 3);
  expect(await patch({ key: "publish", unset: true, repository: path, local: true })).toMatchObject({
    unset: true,
    before: { value: "hold" },
  });
  expect(await jsonOf(join(path, ".tazuna/config.local.json"))).toEqual({});
  await patch({ key: "publish", value: "hold", repository: path, local: true });
  // What the command line or an editor writes is told too.
  const seen = told(true);
  expect((await product.tazuna(["config", "set", "limits.parallel", "4"])).code).toBe(0);
  await waitFor("the fact", () => told(true) > seen);
  expect((await product.tazuna(["config", "unset", "limits.parallel"])).stdout).toContain("Removed");
  await patch({ key: "limits.parallel", value: 3 });
  stop.abort();
  await following;
  const values = (await api.json(`/config?repository=${id}`)).items as readonly {
    key: string;
    value: unknown;
  }[];
  const heldBy = (key: string) => values.find((each) => each.key === key)?.value;
  expect(["limits.parallel", "base", "publish"].map(heldBy)).toEqual([3, "main", "hold"]);

  const before = await readFile(own, "utf8");
  const refused = async (body: object) => {
    const answer = await patch(body);
    return [answer.status, answer.code, answer.detail];
  };
  expect(await refused({ key: "limits.paralel", value: 3 })).toEqual([
    400,
    "bad_configuration",
    expect.stringContaining('did you mean "parallel"'),
  ]);
  expect(await refused({ key: "limits.parallel", value: "many" })).toEqual([
    400,
    "bad_configuration",
    expect.any(String),
  ]);
  expect(await refused({ key: "agents.x.env.API_KEY", value: "something-long" })).toEqual([
    400,
    "secret_in_configuration",
    expect.any(String),
  ]);
  expect(await refused({ key: "base", value: "x", local: true })).toEqual([
    400,
    "bad_request",
    expect.any(String),
  ]);
  expect(await readFile(own, "utf8")).toBe(before);
  expect((await api.json("/config/schema")).properties.limits).toBeDefined();
  expect((await api.json("/tools")).items.map(({ name }: { name: string }) => name)).toContain(
    "exec_command",
  );

  const together = ["stall_s", "setup_s", "git_s"].map((name, index) => [name, 100 + index] as const);
  await Promise.all(together.map(([name, value]) => patch({ key: `limits.${name}`, value })));
  expect((await jsonOf(own)).limits).toEqual({ parallel: 3, ...Object.fromEntries(together) });
});

test("a page sets what tightens or is harmless; what runs programs or loosens a limit needs a terminal", async () => {
  await using product = await startProduct({ isolation: "auto" });
  await product.configure({ limits: { cost_usd: 5 } });
  await product.tazuna(["engine", "restart"]);
  const patch = await asBrowser(product);
  const status = async (key: string, value: unknown) => (await patch({ key, value })).status;
  expect(await status("limits.parallel", 2)).toBe(200);
  expect(await status("limits.cost_usd", 3)).toBe(200);
  expect(await status("default_agents", ["demo"])).toBe(200);
  // What a page did, it may take back, and no more.
  expect(await status("publish", "hold")).toBe(200);
  expect((await patch({ key: "publish", unset: true })).status).toBe(200);
  expect(await status("publish", "hold")).toBe(200);
  expect(await status("publish", "commit")).not.toBe(200);
  expect((await patch({ key: "publish", unset: true })).status).toBe(200);
  const before = await readFile(join(product.home, "config.json"), "utf8");
  const loosening = [
    ["setup", ["touch /tmp/x"]],
    ["checks", [{ name: "x", run: "true" }]],
    ["agents.x", { executor: "command", command: ["/tmp/x"] }],
    ["isolation", "guard"],
    ["sandbox.write", ["/home"]],
    ["gate.rules.credential", "off"],
    ["deny", []],
    ["limits.cost_usd", null],
    ["forge.api_url", "https://elsewhere.example"],
    ["notify.webhook", "https://elsewhere.example"],
    ["hooks", "run"],
  ] as const;
  for (const [key, value] of loosening) {
    const answer = await patch({ key, value });
    const { code, remedy } = (await answer.json()) as { code: string; remedy: string };
    expect([key, answer.status, code, remedy]).toEqual([
      key,
      409,
      "terminal_only",
      expect.stringMatching(new RegExp(`^Type it in a terminal: .tazuna config set ${key} `)),
    ]);
  }
  expect(await readFile(join(product.home, "config.json"), "utf8")).toBe(before);
  expect((await product.tazuna(["config", "set", "isolation", "guard"])).code).toBe(0);
});
