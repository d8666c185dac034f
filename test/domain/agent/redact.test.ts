import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createRedactor, secretValues } from "../../../src/domain/agent/redact.ts";

const none = createRedactor({ values: [] });

/** Looks like a secret and is none. */
const body = (length: number, letters = "Ab1Cd2Ef3Gh4Ij5Kl6Mn7") => letters.repeat(10).slice(0, length);
const JWT = `eyJ${body(20)}.eyJ${body(30)}.${body(40)}`;
const KEY = ["-----BEGIN OPENSSH PRIVATE KEY-----", body(70), body(30), "-----END OPENSSH PRIVATE KEY-----"];

const TOKENS: Readonly<Record<string, string>> = {
  "a GitHub token": `ghp_${body(36)}`,
  "a GitHub installation token": `ghs_${body(36)}`,
  "a fine-grained GitHub token": `github_pat_${body(22)}_${body(59)}`,
  "a GitLab token": `glpat-${body(20)}`,
  "an Anthropic key": `sk-ant-api03-${body(90)}-AA`,
  "an OpenAI key": `sk-proj-${body(48)}`,
  "an old OpenAI key": `sk-${body(48)}`,
  "an AWS key id": "AKIAABCDEFGHIJKLMNOP",
  "a Slack token": "xoxb-1234567890-abcdefghij",
  "a Google key": `AIza${body(35)}`,
  "an npm token": `npm_${body(36)}`,
  "a JSON web token": JWT,
  "a private key": KEY.join("\n"),
  "a private key that is cut off": KEY.slice(0, 2).join("\n"),
};

describe("a line that is no JSON", () => {
  for (const [what, token] of Object.entries(TOKENS).filter(([, value]) => !value.includes("\n")))
    test(`loses ${what}, and nothing else`, () => {
      expect(none.line(`set ${token}, done`)).toBe("set [redacted], done");
      expect(none.line(`\x1b[32m${token}\x1b[0m`)).toBe("\x1b[32m[redacted]\x1b[0m");
      expect(none.line(`https://x:${token}@host/path`)).toBe("https://x:[redacted]@host/path");
    });

  test("keeps words that only resemble tokens", () => {
    const line =
      "task-20260101-a-long-branch-name-1 disk-0123456789abcdefghij sk-learn-estimators-and-more ghp_short AKIA";
    expect(none.line(line)).toBe(line);
  });

  test("loses a private key that runs over lines, and the lines after it stay", () => {
    const redactor = createRedactor({ values: [] });
    const lines = ["before", ...KEY, "after"].map((line) => redactor.line(line));
    expect(lines).toEqual(["before", "[redacted]", "[redacted]", "[redacted]", "[redacted]", "after"]);
  });

  test("loses the lines of a PuTTY key", () => {
    const redactor = createRedactor({ values: [] });
    const lines = [
      "Public-Lines: 1",
      body(60),
      "Private-Lines: 1",
      body(64),
      `Private-MAC: ${body(40)}`,
      "after",
    ];
    expect(lines.map((line) => redactor.line(line))).toEqual([
      "Public-Lines: 1",
      body(60),
      "[redacted]",
      "[redacted]",
      "[redacted]",
      "after",
    ]);
  });

  test("ends the loss after 200 lines if a key never ends", () => {
    const redactor = createRedactor({ values: [] });
    redactor.line(KEY[0] ?? "");
    const kept = Array.from({ length: 300 }, (_, n) => redactor.line(`line ${n}`)).filter(
      (line) => line !== "[redacted]",
    );
    expect(kept.length).toBe(100);
  });

  test("loses the values it is given, longest first", () => {
    const redactor = createRedactor({ values: ["hunter2-hunter2", "hunter2-hunter2-and-more", "a+b&c=d/é"] });
    expect(redactor.line("x hunter2-hunter2-and-more y hunter2-hunter2")).toBe("x [redacted] y [redacted]");
    expect(redactor.line("?q=a%2Bb%26c%3Dd%2F%C3%A9&a+b&c=d/é")).toBe("?q=[redacted]&[redacted]");
  });

  test("loses each line of a value that has several", () => {
    const redactor = createRedactor({ values: ["first line of it\nsecond line of it\nx"] });
    expect(["first line of it", "> second line of it", "x"].map((line) => redactor.line(line))).toEqual([
      "[redacted]",
      "> [redacted]",
      "x",
    ]);
  });

  test("takes values for what they are, not for patterns", () => {
    const redactor = createRedactor({ values: [".*.*.*.*", "(unclosed[", "$&$&$&$&"] });
    expect(redactor.line("any text, (unclosed[ .*.*.*.* $&$&$&$&")).toBe(
      "any text, [redacted] [redacted] [redacted]",
    );
  });
});

describe("a line of JSON", () => {
  for (const [what, token] of Object.entries(TOKENS))
    test(`loses ${what} and stays JSON`, () => {
      const event = {
        type: "result",
        text: `first\n${token}`,
        [`k ${token}`]: [1, "\u001b[1m", { nested: token }],
      };
      const clean = none.line(JSON.stringify(event));
      expect(JSON.parse(clean)).toEqual({
        type: "result",
        text: "first\n[redacted]",
        "k [redacted]": [1, "\u001b[1m", { nested: "[redacted]" }],
      });
    });

  test("loses values however they are escaped, in JSON inside JSON too", () => {
    const value = 'p"w\\d/<é🐎>&';
    const redactor = createRedactor({ values: [value] });
    const spelled = [
      JSON.stringify({ a: value }),
      JSON.stringify({ a: value }).replaceAll("/", "\\/"),
      JSON.stringify({ a: value }).replace(
        /[<>&\u0080-\uffff]/g,
        (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
      ),
    ];
    for (const line of spelled) expect(JSON.parse(redactor.line(line))).toEqual({ a: "[redacted]" });
    const nested = JSON.stringify({ output: JSON.stringify({ a: value }) });
    expect(JSON.parse(redactor.line(nested))).toEqual({ output: '{"a":"[redacted]"}' });
  });

  test("loses what another string names, and stays JSON", () => {
    const key = `${body(38)}/+`;
    const line = JSON.stringify({
      SecretAccessKey: key,
      n: 1,
      _auth: 12345678,
      url: `https://u:${body(20)}@h/x`,
    });
    expect(JSON.parse(none.line(line))).toEqual({
      SecretAccessKey: "[redacted]",
      n: 1,
      _auth: 12345678,
      url: "https://u:[redacted]@h/x",
    });
  });

  test("keeps every byte if there is no secret", () => {
    const lines = [
      '{"n":1.0, "big":12345678901234567890,"s":"\\u00e9\\/"}',
      " [1,2 ,3]",
      '{"broken',
      "{}",
      "[]",
      "",
    ];
    for (const line of lines) expect(none.line(line)).toBe(line);
  });

  test("keeps numbers and names outside of strings whole", () => {
    const redactor = createRedactor({ values: ["12345678", '"type":"x"', "false,true"] });
    const line = '{"n":12345678,"type":"x","a":[false,true],"s":"12345678"}';
    expect(redactor.line(line)).toBe('{"n":12345678,"type":"x","a":[false,true],"s":"[redacted]"}');
  });

  test("that is damaged is redacted as text", () => {
    expect(none.line(`{"a":"${TOKENS["a GitHub token"]}`)).toBe('{"a":"[redacted]');
  });

  test("whatever it holds, stays valid JSON with the same shape", () => {
    const secret = fc.string({ minLength: 8, maxLength: 20, unit: "grapheme" });
    fc.assert(
      fc.property(fc.jsonValue(), secret, fc.boolean(), (value, known, hide) => {
        const redactor = createRedactor({ values: [known] });
        const line = JSON.stringify({ value, hidden: hide ? `x${known}y` : "nothing" });
        const clean = JSON.parse(redactor.line(line));
        expect(clean.hidden).toBe(hide ? "x[redacted]y" : "nothing");
        expect(Object.keys(clean).length).toBe(2);
      }),
    );
  });
});

describe("secret values of an environment", () => {
  test("are those whose names say so, and those that are named", () => {
    const env = {
      GITHUB_TOKEN: "token-value",
      OPENAI_API_KEY: "key-value",
      my_secret: "secret-value",
      DB_PASSWORD: "password-value",
      SHORT_TOKEN: "short",
      EMPTY_KEY: "",
      GONE_KEY: undefined,
      HOME: "/home/somebody",
      CUSTOM: "custom-value",
      GIT_CONFIG_KEY_0: "core.hooksPath",
    };
    expect([...secretValues(env, { names: ["CUSTOM", "ABSENT"] })].sort()).toEqual([
      "custom-value",
      "key-value",
      "password-value",
      "secret-value",
      "token-value",
    ]);
  });
});
