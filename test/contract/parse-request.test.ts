import { describe, expect, test } from "bun:test";
import { ENDPOINTS } from "../../src/contract/endpoints/endpoints.ts";
import { parseRequest } from "../../src/contract/parse-request.ts";

const message = (value: unknown) =>
  parseRequest(ENDPOINTS.createTask.request, value).match(
    () => "fine",
    (bad) => bad.message,
  );

describe("reading a request", () => {
  test("fills in what may be left out", () => {
    const parsed = parseRequest(ENDPOINTS.createTask.request, { repository: "/r", issue: "Do it" });
    expect(parsed._unsafeUnwrap()).toEqual({
      repository: "/r",
      title: null,
      issue: "Do it",
      context: null,
      constraints: null,
      base: null,
      agents: [],
      publish: null,
      branch: null,
      from_worktree: false,
      offline: false,
      budget_usd: null,
      settings: {},
      worker: null,
      on_labels: [],
    });
  });

  test("takes settings of one task, and none that hold for the engine, need trust or lie in the machine", () => {
    const withSettings = (settings: unknown) => message({ repository: "/r", issue: "x", settings });
    expect(withSettings({ base: "dev", "limits.timeout_s": 60, "limits.cost_usd": "2.5" })).toBe("fine");
    const refused = [
      "limits.parallel",
      "notify.webhook",
      "forge.api_url",
      "setup",
      "checks",
      "agents",
      "env",
    ];
    expect(refused.map((key) => withSettings({ [key]: "1" }))).toEqual(
      refused.map((key) => expect.stringContaining(`Unknown key "${key}" in settings.`)),
    );
    expect(withSettings({ base: ["dev"] })).toStartWith('"settings.base" is not valid');
  });

  test("names an unknown key and the nearest known one", () => {
    expect(message({ repository: "/r", issue: "x", agnets: [] })).toBe(
      'Unknown key "agnets". Did you mean "agents"?',
    );
    expect(message({ repository: "/r", issue: "x", agents: [{ id: "codex", modle: "o" }] })).toBe(
      'Unknown key "modle" in agents[0]. Did you mean "model"?',
    );
    expect(message({ repository: "/r", issue: "x", zzzzzzzz: 1 })).toBe('Unknown key "zzzzzzzz".');
    expect(message(JSON.parse('{"repository":"/r","issue":"x","__proto__":1}'))).toBe(
      'Unknown key "__proto__".',
    );
  });

  test.each([
    [null, "The request is not valid: expected object, received null."],
    [[], "The request is not valid: expected object, received array."],
    [{ repository: "/r" }, '"issue" is not valid: expected string, received undefined.'],
    [{ repository: "/r", issue: "  \n" }, '"issue" is not valid: must not be blank.'],
    [{ repository: "/r\0x", issue: "a" }, '"repository" is not valid: must not contain a NUL character.'],
    [
      { repository: "/r", issue: "a", agents: [7] },
      '"agents[0]" is not valid: expected string, received number.',
    ],
    [
      { repository: "/r", issue: "a", base: "-x" },
      '"base" is not valid: is not a branch, a tag or a commit.',
    ],
    [
      { repository: "/r", issue: "a", budget_usd: -1 },
      '"budget_usd" is not valid: Too small: expected number to be >0.',
    ],
  ])("says in one line what is wrong with %j", (value, said) => {
    expect(message(value)).toBe(said);
  });

  test("a choice of two forms is explained by the one that was meant", () => {
    expect(parseRequest(ENDPOINTS.retry.request, { from: "pull" })._unsafeUnwrapErr().message).toContain(
      '"from" is not valid',
    );
    expect(
      parseRequest(ENDPOINTS.trust.request, { repository: "/r", hashes: [1] })._unsafeUnwrapErr(),
    ).toEqual({
      message: '"hashes[0]" is not valid: expected string, received number.',
      details: { path: "hashes[0]" },
    });
  });
});
