/** Lets people sign in at a server of a product through a provider, as their browsers do. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestProvider } from "./identity-provider.ts";
import type { Product } from "./product.ts";

/** The flags of a server whose people come from this provider. */
export async function flagsOf(product: Product, { issuer, clientId, secret }: TestProvider) {
  const file = join(product.sandbox.root, "oidc-secret");
  await writeFile(file, `${secret}\n`, { mode: 0o600 });
  return [
    ...["--oidc-issuer", issuer, "--oidc-client", clientId],
    ...["--oidc-client-secret-file", file, "--oidc-admins", "ann@x.example"],
  ];
}

/** Goes in as somebody, and answers with the cookie and the status of the last page. */
export async function enter(url: string, provider: TestProvider, who: string) {
  const begun = await fetch(`${url}/sign-in/oidc`, { redirect: "manual" });
  const back = await provider.enter(begun.headers.get("location") ?? "", who);
  const cookie = (begun.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const ended = await fetch(back, { headers: { cookie }, redirect: "manual" });
  const given = ended.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
  return { status: ended.status, text: await ended.text(), cookie: given.at(-1) ?? "" };
}
