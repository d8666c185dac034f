/** Tells what becomes of each bad answer of a forge: its code, whether it may pass, and that nothing is made twice. */
import { describe, expect, test } from "bun:test";
import type { ForgeError } from "../../src/forge/forge.ts";
import { PLAYED_KINDS } from "../helpers/forges/played-forges.ts";
import { bad, good, NEW, portWorld, WORK } from "../helpers/forges/port-world.ts";
import type { Trouble } from "../helpers/forges/small-forge.ts";
import { deep } from "../helpers/tier.ts";

interface Case {
  readonly title: string;
  readonly trouble: Trouble;
  readonly code: ForgeError["code"];
  readonly transient: boolean;
  readonly says?: RegExp;
}

const json = (status: number, data: unknown, headers = {}): Trouble => ({ status, data, headers });
const page = { "content-type": "text/html" };

const CASES: readonly Case[] = [
  { title: "401", trouble: json(401, { message: "401 Unauthorized" }), code: "forge_auth", transient: false },
  {
    title: "403 of a token without the right scope",
    trouble: json(403, { error: "insufficient_scope", error_description: "It needs api" }),
    code: "forge_forbidden",
    transient: false,
    says: /insufficient_scope; It needs api/,
  },
  { title: "404", trouble: json(404, { message: "Not found" }), code: "forge_not_found", transient: false },
  { title: "409", trouble: json(409, { message: ["Conflict"] }), code: "forge_conflict", transient: false },
  {
    title: "400 with fields",
    trouble: json(400, { message: { title: ["is too long"] } }),
    code: "forge_refused",
    transient: false,
    says: /title: is too long/,
  },
  {
    title: "422",
    trouble: json(422, { message: "Unprocessable" }),
    code: "forge_refused",
    transient: false,
    says: /Unprocessable/,
  },
  {
    title: "423 of an archive",
    trouble: json(423, { message: "Locked" }),
    code: "forge_refused",
    transient: false,
  },
  {
    title: "429 with a time",
    trouble: { status: 429, text: "Retry later\n", headers: { "retry-after": "30" } },
    code: "rate_limited",
    transient: true,
  },
  {
    title: "429 without one",
    trouble: { status: 429, text: "Retry later\n" },
    code: "rate_limited",
    transient: true,
  },
  {
    title: "500",
    trouble: json(500, { message: "500 Internal" }),
    code: "forge_unavailable",
    transient: true,
  },
  {
    title: "502 of a proxy",
    trouble: { status: 502, text: "<html>Bad gateway</html>", headers: page },
    code: "forge_unavailable",
    transient: true,
  },
  {
    title: "a page of a sign-in instead of JSON",
    trouble: { status: 200, text: "<html>Sign in</html>", headers: page },
    code: "forge_unavailable",
    transient: true,
    says: /instead of JSON/,
  },
  {
    title: "404 of something else than the API",
    trouble: { status: 404, text: "<html>Not here</html>", headers: page },
    code: "forge_unavailable",
    transient: false,
  },
  {
    title: "JSON of another shape",
    trouble: json(200, { hello: 1 }),
    code: "forge_unavailable",
    transient: false,
  },
  {
    title: "a redirect to another host",
    trouble: { status: 302, text: "", headers: { location: "https://elsewhere.example/" } },
    code: "forge_unavailable",
    transient: false,
    says: /another host, so nothing was sent there/,
  },
  { title: "no answer", trouble: "hang", code: "forge_unavailable", transient: true, says: /did not answer/ },
  { title: "a connection that breaks", trouble: "drop", code: "forge_unavailable", transient: true },
];

describe.each(PLAYED_KINDS)(deep("%s"), (kind) => {
  test.each(CASES.map((one) => [one.title, one] as const))("%s", async (_, { trouble, ...expected }) => {
    await using world = await portWorld(kind);
    const { small } = world;
    const port = await world.open({ timeoutMs: 1_500 });
    const at = Date.now();
    const check = ({ code, transient, message, resumeAt }: ForgeError) => {
      expect({ code, transient }).toEqual({ code: expected.code, transient: expected.transient });
      if (expected.says !== undefined) expect(message).toMatch(expected.says);
      expect(message).not.toContain("0123456789abcdef");
      expect(resumeAt === null).toBe(code !== "rate_limited");
      if (resumeAt !== null) expect(Date.parse(resumeAt)).toBeGreaterThan(at + 20_000);
    };
    // What reads meets it.
    small.trouble = () => trouble;
    check(await bad(port.read(1)));
    expect(small.pulls).toEqual([]);
    // Only what writes meets it: nothing is made, and the same request succeeds once the trouble is over.
    const fresh = await portWorld(kind);
    await using _fresh = fresh;
    const writer = await fresh.open({ timeoutMs: 1_500 });
    fresh.small.trouble = (asked) => (asked.startsWith("GET") ? null : trouble);
    check(await bad(writer.create(NEW)));
    const { length } = fresh.small.requests.filter((asked) => asked.startsWith("POST"));
    expect(length).toBe(1);
    fresh.small.trouble = () => null;
    const later = await (await fresh.open()).find(WORK);
    expect(later.isErr() ? later.error.code : later.value).toBe(
      expected.code === "rate_limited" ? "rate_limited" : null,
    );
  });

  test("a merge whose answer is bad is not repeated by itself, and tells what it met", async () => {
    await using world = await portWorld(kind);
    const { small, port } = world;
    await good(port.create(NEW));
    const sha = await world.head();
    for (const status of [403, 500] as const) {
      small.trouble = (asked) => (asked.endsWith("/merge") ? json(status, { message: "No" }) : null);
      const { code } = await bad(port.merge(1, { sha, squash: false, title: null }));
      expect(code).toBe(status === 403 ? "forge_forbidden" : "forge_unavailable");
    }
    expect(small.requests.filter((asked) => asked.endsWith("/merge"))).toHaveLength(2);
    expect(small.pulls).toMatchObject([{ state: "open" }]);
  });
});
