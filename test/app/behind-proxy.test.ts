/** Tells whose words a server behind a proxy believes: who the client is, and by which address it came. */
import { expect, test } from "bun:test";
import { behindProxy } from "../../src/app/server/behind-proxy.ts";
import { parseNetworks } from "../../src/app/server/networks.ts";

const PROXIES = parseNetworks(["10.0.0.0/24", "fd00::/8"])._unsafeUnwrap();

/** What the server is told of a request that a socket at `peer` sent. */
async function seen(peer: string, headers: Record<string, string>, url = "http://10.0.0.1:1/a%2f..?b=%20") {
  const told: unknown[] = [];
  const answer = behindProxy(PROXIES, async (request, { address }) => {
    told.push({ url: request.url, host: request.headers.get("host"), address, body: await request.text() });
    told.push([...request.headers.keys()].filter((name) => name.includes("forwarded")));
    return new Response();
  });
  const request = new Request(url, {
    method: "POST",
    body: "body",
    headers: { host: "tazuna.test", "x-forwarded-proto": "https", ...headers },
  });
  const response = await answer(request, { address: peer });
  return response.status === 200 ? told : response.status;
}

const from = (address: string) => [
  { url: "https://tazuna.test/a%2f..?b=%20", host: "tazuna.test", address, body: "body" },
  [],
];

test("the client is the last address that is no proxy, however many a client made up before it", async () => {
  const forwarded = (words: string) => ({ "x-forwarded-for": words });
  expect(await seen("10.0.0.7", {})).toEqual(from("10.0.0.7"));
  expect(await seen("10.0.0.7", forwarded("203.0.113.7"))).toEqual(from("203.0.113.7"));
  expect(await seen("::ffff:10.0.0.7", forwarded("203.0.113.7"))).toEqual(from("203.0.113.7"));
  expect(await seen("fd00::1", forwarded("1.1.1.1, 203.0.113.7, 10.0.0.9"))).toEqual(from("203.0.113.7"));
  expect(await seen("10.0.0.7", forwarded("127.0.0.1, [2001:db8::1]:80"))).toEqual(from("2001:db8::1"));
  expect(await seen("10.0.0.7", forwarded("203.0.113.7:4000"))).toEqual(from("203.0.113.7"));
  expect(await seen("10.0.0.7", forwarded("203.0.113.7, unknown"))).toEqual(from("10.0.0.7"));
  expect(await seen("10.0.0.7", { forwarded: "for=1.1.1.1;host=x" })).toEqual(from("10.0.0.7"));
});

test("only a trusted proxy is answered", async () => {
  for (const peer of ["10.0.1.7", "127.0.0.1", "::1", "fe80::1", "", "nonsense"])
    expect([peer, await seen(peer, {})]).toEqual([peer, 403]);
});

test.each(["a/b", "a?b", "a#b", "me@a", "a b", "a\\b", ""])(
  "a host that would change the address: %j",
  async (host) => {
    expect(await seen("10.0.0.7", { "x-forwarded-host": host })).toBe(400);
  },
);
