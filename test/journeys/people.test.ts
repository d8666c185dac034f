/** Shows how a team signs in: the flags of the server, the provider, roles from the command line, a removal. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { enter, flagsOf } from "../helpers/enter-as.ts";
import { identityProvider } from "../helpers/identity-provider.ts";
import { PATIENCE_MS, refused } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const PEOPLE = {
  ann: { email: "ann@x.example", email_verified: true, name: "Ann" },
  bob: { email: "bob@x.example", email_verified: true, name: "Bob" },
};

test(deep("a team signs in through its provider, and an admin says who may do what"), async () => {
  await using provider = await identityProvider(PEOPLE);
  await using product = await startProduct();
  expect((await product.tazuna(["people"])).stdout).toStartWith("Nobody has signed in");
  await product.tazuna(["engine", "stop"]);
  const server = product.start(["serve", "--json", "--port", "0", ...(await flagsOf(product, provider))]);
  await waitFor("the server to listen", () => server.printed().includes("\n"));
  const { url } = JSON.parse(server.printed()) as { url: string };
  const bob = await enter(url, provider, "bob");
  expect(bob.status).toBe(303);
  const stop = async () => {
    const answer = await fetch(`${url}/api/v1/tasks/none/stop`, {
      method: "POST",
      headers: { cookie: bob.cookie, origin: url, "content-type": "application/json" },
      body: "{}",
    });
    return ((await answer.json()) as { code: string }).code;
  };
  expect(await stop()).toBe("scope_too_small");
  const given = await product.tazuna(["people", "role", "Bob@x.example", "member"]);
  expect(given.stdout).toBe("bob@x.example is a member now.\n");
  expect(await stop()).toBe("not_found");
  const listed = await product.tazuna(["people"]);
  expect(listed.stdout).toMatch(/EMAIL +NAME +ROLE[^\n]*\n\w{8} +bob@x\.example +Bob +member/);

  const asked = await product.tazuna(["people", "remove", "bob@x.example"]);
  expect([asked.code, asked.stdout]).toEqual([
    1,
    "This would sign bob@x.example out everywhere, and remove their tokens.\nNobody was removed: `tazuna people remove bob@x.example --yes` does it.\n",
  ]);
  const unknown = await product.tazuna(["people", "remove", "eve@x.example"]);
  expect([unknown.code, unknown.stdout]).toEqual([1, expect.stringContaining("Nobody here has the address")]);
  expect(await stop()).toBe("not_found");
  await product.tazuna(["people", "remove", "bob@x.example", "--yes"]);
  expect(await stop()).toBe("token_required");
  const again = await enter(url, provider, "bob");
  expect(again.status).toBe(401);
  // What the page says to ask an admin for lets them in.
  const [, command = ""] = /<code>|`tazuna ([^`]+)`/.exec(again.text) ?? [];
  expect((await product.tazuna(command.split(" "))).code).toBe(0);
  expect((await enter(url, provider, "bob")).status).toBe(303);
  expect((await refused(product, ["people", "role", "eve@x.example", "admin"])).error.code).toBe("not_found");
  server.kill("SIGTERM");
  expect((await server.end).code).toBe(0);
});

test(
  deep("who is no longer in `--oidc-admins` is no admin as soon as the server is there again"),
  async () => {
    await using provider = await identityProvider(PEOPLE);
    await using product = await startProduct();
    const flags = await flagsOf(product, provider);
    const serve = async (admins: string) => {
      const named = flags.map((flag) => (flag === "ann@x.example" ? admins : flag));
      const server = product.start(["serve", "--json", "--port", "0", ...named]);
      await waitFor("the server to listen", () => server.printed().includes("\n"));
      return { server, url: (JSON.parse(server.printed()) as { url: string }).url };
    };
    const roles = async () => {
      const { people } = JSON.parse((await product.tazuna(["people", "--json"])).stdout) as {
        people: readonly { readonly email: string; readonly role: string }[];
      };
      return people.map(({ email, role }) => `${email} ${role}`);
    };
    const first = await serve("ann@x.example,bob@x.example");
    await enter(first.url, provider, "ann");
    await enter(first.url, provider, "bob");
    expect(await roles()).toEqual(["ann@x.example admin", "bob@x.example admin"]);
    first.server.kill("SIGTERM");
    await first.server.end;
    const second = await serve("bob@x.example");
    expect(await roles()).toEqual(["ann@x.example viewer", "bob@x.example admin"]);
    second.server.kill("SIGTERM");
    await second.server.end;
  },
);

test("flags of a provider that cannot work are refused before anything starts", async () => {
  await using product = await startProduct();
  const open = join(product.sandbox.root, "open-secret");
  await writeFile(open, "secret");
  await chmod(open, 0o644);
  const issuer = ["--oidc-issuer", "https://id.example"];
  const client = ["--oidc-client", "tazuna"];
  const flags: readonly (readonly string[])[] = [
    issuer,
    client,
    ["--oidc-admins", "ann@x.example"],
    ["--oidc-issuer", "http://id.example", ...client],
    ["--oidc-issuer", "id.example", ...client],
    ["--oidc-issuer", "https://id.example/?a=b", ...client],
    [...issuer, ...client, "--oidc-admins", "ann"],
    [...issuer, ...client, "--oidc-domains", "ann@x.example"],
    [...issuer, ...client, "--oidc-role", "owner"],
    [...issuer, ...client, "--oidc-client-secret-file", open],
    [...issuer, ...client, "--oidc-client-secret-file", "/nowhere"],
  ];
  for (const words of flags)
    expect([words, (await product.tazuna(["serve", "--port", "0", "--json", ...words])).code]).toEqual([
      words,
      2,
    ]);
  expect(await product.enginePid()).toBeNull();
  for (const words of [
    ["list", "x"],
    ["role"],
    ["role", "a@x"],
    ["role", "a@x", "owner"],
    ["remove"],
    ["--yes"],
  ])
    expect([words, (await product.tazuna(["people", ...words])).code]).toEqual([words, 2]);
});
