/** Tells that guessing tokens and links is answered with 429 soon, and never keeps the right one out. */
import { expect, test } from "bun:test";
import { doorServer, TOKEN } from "../helpers/door-server.ts";

const WRONG = { headers: { authorization: "Bearer wrong" } };

async function codes(count: number, ask: () => Promise<Response>): Promise<readonly string[]> {
  const found: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const response = await ask();
    const type = response.headers.get("content-type") ?? "";
    const code = type.includes("problem+json") ? ((await response.json()) as { code: string }).code : "";
    found.push(`${response.status} ${code}`.trim());
  }
  return found;
}

const times = (count: number, text: string) => Array.from({ length: count }, () => text);

test("after thirty wrong tokens of one address more are refused as too many, for a minute", async () => {
  let now = 1_000_000;
  await using door = doorServer({ now: () => now });
  const wrong = () => door.bare("/api/v1/tasks", WRONG);
  expect(await codes(32, wrong)).toEqual([
    ...times(30, "401 token_required"),
    ...times(2, "429 too_many_failures"),
  ]);
  // Whoever runs the server reads it once.
  expect(door.reported.map(String)).toEqual([
    "127.0.0.1 sent more than 30 wrong tokens, links or invitations.",
  ]);
  expect((await door.call("/api/v1/tasks")).status).toBe(200);
  const elsewhere = new Request(`${door.url}/api/v1/tasks`, {
    headers: { ...WRONG.headers, host: door.host },
  });
  expect((await door.api.fetch(elsewhere, { address: "127.0.0.2" })).status).toBe(401);
  now += 60_000;
  expect(await codes(1, wrong)).toEqual(["401 token_required"]);
});

test("wrong sign-in links count too, and a fresh one still signs in", async () => {
  await using door = doorServer();
  const link = (await door.api.signInLink(door.url)).slice(door.url.length);
  const guesses = await codes(31, () => door.bare("/sign-in?code=guess"));
  expect(guesses).toEqual([...times(30, "401"), "429"]);
  expect((await door.bare(link)).status).toBe(303);
});

test("a page that only is not signed in yet is no failure", async () => {
  await using door = doorServer();
  const answers = await codes(40, () => door.bare("/api/v1/tasks"));
  expect(new Set(answers)).toEqual(new Set(["401 token_required"]));
  expect((await door.call("/api/v1/tasks", { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(
    200,
  );
});
