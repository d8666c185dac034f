/** Tells what becomes of every bad answer of GitHub: its code, whether it may pass, and that nothing is done twice. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { type Said, TROUBLES } from "../helpers/github/answers.ts";
import { BRANCH, type ForgeAlone, forgeAlone, HEAD, REQUEST } from "../helpers/github/forge-alone.ts";
import type { SmallGitHub } from "../helpers/github/small-github.ts";
import { PATIENCE_MS } from "../helpers/journey.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

type Meets = readonly [what: string, how: Said | "hang" | "drop", code: string, transient: boolean];

/** Each with how often a request that reads is sent: what may pass is tried again, unless it is a limit or silence. */
const BAD: readonly (readonly [...Meets, reads: number])[] = [
  ["a login that is not known", TROUBLES.status(401, "Bad credentials"), "forge_auth", false, 1],
  ["a right that is missing", TROUBLES.status(403, "Not accessible"), "forge_forbidden", false, 1],
  ["nothing there", TROUBLES.status(404, "Not Found"), "forge_not_found", false, 1],
  ["a conflict", TROUBLES.status(409, "Conflict"), "forge_conflict", false, 1],
  ["what was there once", TROUBLES.status(410, "Gone"), "forge_not_found", false, 1],
  ["a refusal", TROUBLES.status(422, "Validation Failed"), "forge_refused", false, 1],
  ["a block by law", TROUBLES.status(451, "Blocked"), "forge_forbidden", false, 1],
  ["a secondary limit", TROUBLES.secondaryLimit(30), "rate_limited", true, 1],
  ["a secondary limit with 429", TROUBLES.secondaryLimit(30, 429), "rate_limited", true, 1],
  ["a secondary limit without a time", TROUBLES.secondaryLimit(null), "rate_limited", true, 1],
  ["a fault", TROUBLES.fault(500), "forge_unavailable", true, 3],
  ["a bad gateway", TROUBLES.fault(502), "forge_unavailable", true, 3],
  ["a page instead of an answer", TROUBLES.html(200), "forge_unavailable", true, 1],
  ["a page that says 404", TROUBLES.html(404), "forge_unavailable", false, 1],
  ["a page of a fault", TROUBLES.html(503), "forge_unavailable", true, 3],
  ["half an answer", TROUBLES.half, "forge_unavailable", true, 1],
  ["an answer of another shape", TROUBLES.otherShape, "forge_unavailable", false, 1],
  ["silence", "hang", "forge_unavailable", true, 1],
  ["a connection that breaks", "drop", "forge_unavailable", true, 3],
];

const sentTo = ({ requests }: SmallGitHub, method: string) =>
  requests.filter((request) => request.startsWith(`${method} `)).length;

test(
  deep("each bad answer has its code; what reads is tried again if that may help, what writes is sent once"),
  async () => {
    await using alone = await forgeAlone();
    const rows = BAD.map(async ([what, how, code, transient, reads]) => {
      const reading = await alone.another();
      reading.github.trouble = { on: /^GET/, how };
      const read = (await reading.forge.read(1))._unsafeUnwrapErr();
      const writing = await alone.another();
      writing.github.trouble = { on: /^POST/, how };
      const made = (await writing.forge.create(REQUEST))._unsafeUnwrapErr();
      return {
        row: [what, read.code, read.transient, sentTo(reading.github, "GET")],
        made: [what, made.code, made.transient, sentTo(writing.github, "POST"), writing.github.pulls.length],
        should: [what, code, transient, reads],
      };
    });
    for (const { row, made, should } of await Promise.all(rows)) {
      expect(row).toEqual(should);
      expect(made).toEqual([...should.slice(0, 3), 1, 0]);
    }
  },
);

test("at a limit nothing is sent until it ends, and the time is told", async () => {
  await using alone = await forgeAlone();
  const { forge, github } = alone;
  github.trouble = { on: /./, how: TROUBLES.secondaryLimit(2), times: 1 };
  const before = Date.now();
  const { resumeAt } = (await forge.find(HEAD))._unsafeUnwrapErr();
  expect(Date.parse(resumeAt ?? "") - before).toBeGreaterThanOrEqual(2000);
  expect([(await forge.create(REQUEST))._unsafeUnwrapErr().code, github.requests.length]).toEqual([
    "rate_limited",
    1,
  ]);
  // The primary one is known from the last good answer.
  const { github: other, forge: asking } = await alone.another();
  other.remaining = 1;
  expect((await asking.find(HEAD))._unsafeUnwrapErr()).toMatchObject({ code: "rate_limited" });
  expect(other.requests).toHaveLength(1);
  // GraphQL says it with status 200.
  const third = await alone.another();
  await third.forge.create(REQUEST);
  const errors = [{ type: "RATE_LIMITED", message: "API rate limit exceeded for user ID 1." }];
  third.github.trouble = { on: /graphql/, how: { status: 200, data: { errors } } };
  expect((await third.forge.update(1, { draft: true }))._unsafeUnwrapErr()).toMatchObject({
    code: "rate_limited",
    transient: true,
    resumeAt: expect.any(String),
  });
});

/** The act is done, and its answer is lost. */
const LOST = [TROUBLES.fault(502), TROUBLES.html(504), "hang", "drop"] as const;

test(deep("if the answer to an act is lost, what was made is found, and nothing is made twice"), async () => {
  await using alone = await forgeAlone();
  const sha = await alone.git("rev-parse", BRANCH);
  const rows = LOST.map(async (how) => {
    const { github, forge } = await alone.another();
    const lose = (on: RegExp) => {
      github.trouble = { on, how, done: true };
    };
    lose(/^POST .*pulls$/);
    const made = await forge.create(REQUEST);
    lose(/^POST .*comments$/);
    const said = await forge.comment(1, { body: "Done.", thread: null });
    github.trouble = null;
    const again = await forge.comment(1, { body: "Done.", thread: null });
    lose(/^PATCH/);
    const changed = await forge.update(1, { title: "Other" });
    return {
      good: [made, said, again].map((result) => result.isOk()),
      changed: changed.mapErr(({ code, transient }) => [code, transient])._unsafeUnwrapErr(),
      left: [github.pulls.map(({ title }) => title), github.conversation.length],
    };
  });
  for (const row of await Promise.all(rows))
    expect(row).toEqual({
      good: [true, true, true],
      changed: ["forge_unavailable", true],
      left: [["Other"], 1],
    });
  // The base moves with a merge, so one after the other.
  for (const how of LOST.slice(0, 1)) {
    const { github, forge } = await alone.another();
    await forge.create(REQUEST);
    github.trouble = { on: /^PUT/, how, done: true };
    const merged = (await forge.merge(1, { sha, squash: false, title: null }))._unsafeUnwrap();
    expect(merged.commit).toBe(await alone.git("rev-parse", "main"));
    expect(await alone.git("rev-list", "--count", "--merges", "main")).toBe("1");
  }
});

type Refusal = readonly [
  request: object,
  prepare: (alone: Pick<ForgeAlone, "github">) => void,
  words: RegExp,
];

const REFUSALS: readonly Refusal[] = [
  [{ head: { fork: null, branch: "gone" } }, () => {}, /head: invalid/],
  [{ base: "gone" }, () => {}, /base: invalid/],
  [{ head: { fork: null, branch: "main" } }, () => {}, /No commits between main and main/],
  [{ title: "" }, () => {}, /title: missing_field/],
  [{ title: "x".repeat(300) }, () => {}, /title is too long/],
  [
    { draft: true },
    ({ github }) => void Object.assign(github, { drafts: false }),
    /Draft pull requests are not supported/,
  ],
];

test("what GitHub does not allow is told in its words", async () => {
  await using alone = await forgeAlone();
  for (const [request, prepare, words] of REFUSALS) {
    const other = await alone.another();
    prepare(other);
    const error = (await other.forge.create({ ...REQUEST, ...request }))._unsafeUnwrapErr();
    expect([error.code, error.message, other.github.pulls.length]).toEqual([
      "forge_refused",
      expect.stringMatching(words),
      0,
    ]);
  }
});

test("a login that is missing, unknown, blind or without rights is told as that", async () => {
  await using alone = await forgeAlone();
  for (const [how, code] of [
    [{ token: null }, "forge_auth"],
    [{ token: "another" }, "forge_auth"],
    [{ login: { sees: false } }, "forge_not_found"],
    [{ login: { pulls: false } }, "forge_forbidden"],
  ] as const) {
    const { github, forge } = await alone.another(how);
    expect([(await forge.create(REQUEST))._unsafeUnwrapErr().code, github.pulls.length]).toEqual([code, 0]);
  }
});

test("nothing is sent where GitHub leads to another host", async () => {
  await using alone = await forgeAlone();
  const other = await alone.another();
  const location = `${other.github.url}/repos/ann/garden/pulls/1`;
  for (const status of [301, 302, 307]) {
    alone.github.trouble = { on: /./, how: { status, data: {}, headers: { location } } };
    expect((await alone.forge.read(1))._unsafeUnwrapErr()).toMatchObject({
      code: "forge_unavailable",
      transient: false,
    });
  }
  expect(other.github.requests).toEqual([]);
});
