/** Tells which secrets are known by their shape or by the words before them, and how long the search takes. */
import { describe, expect, test } from "bun:test";
import { createHash, randomBytes } from "node:crypto";
import fc from "fast-check";
import { createRedactor } from "../../../src/domain/agent/redact.ts";
import { createLineSplitter } from "../../../src/utils/files/line-splitter.ts";
import { cpuTime } from "../../helpers/cpu-time.ts";
import { deep } from "../../helpers/tier.ts";

/** Looks like a secret and is none. */
const body = (length: number, letters = "Ab1Cd2Ef3Gh4Ij5Kl6Mn7") => letters.repeat(10).slice(0, length);
const hex = (length: number) => body(length, "0a1b2c3d4e5f6978");

const TOKENS: Readonly<Record<string, string>> = {
  "GitHub, of a person": `ghp_${body(36)}`,
  "GitHub, of an OAuth app": `gho_${body(36)}`,
  "GitHub, of a user of an app": `ghu_${body(36)}`,
  "GitHub, of an installation": `ghs_${body(36)}`,
  "GitHub, of an installation, in its newer form": `ghs_12345_eyJ${body(30)}.eyJ${body(80)}.${body(43)}`,
  "GitHub, to refresh": `ghr_${body(76)}`,
  "GitHub, fine-grained": `github_pat_${body(22)}_${body(59)}`,
  "GitLab, of a person": `glpat-${body(20)}`,
  "GitLab, of a person, in its newer form": `glpat-${body(27)}.01.${body(9)}`,
  "GitLab, to deploy": `gldt-${body(20)}`,
  "GitLab, of a runner": `glrt-${body(20)}`,
  "GitLab, of a job": `glcbt-64_${body(20)}`,
  Anthropic: `sk-ant-api03-${body(90)}-AA`,
  "OpenAI, of a project": `sk-proj-${body(48)}`,
  "OpenAI, of a service account": `sk-svcacct-${body(48)}`,
  "OpenAI, old": `sk-${body(48)}`,
  "AWS, key id": "AKIAABCDEFGHIJKLMNOP",
  "AWS, key id of a session": "ASIAABCDEFGHIJKLMNOP",
  "Slack, of a bot": "xoxb-1234567890-abcdefghij",
  "Slack, of an app": `xapp-1-A0${body(9)}-1234567890-${hex(64)}`,
  "Google, key": `AIza${body(35)}`,
  "Google, access": `ya29.${body(60)}`,
  "Google, client secret": `GOCSPX-${body(28)}`,
  npm: `npm_${body(36)}`,
  PyPI: `pypi-AgEIcHlwaS5vcmc${body(120)}`,
  Stripe: `sk_live_${body(24)}`,
  "Stripe, restricted": `rk_test_${body(24)}`,
  "Stripe, webhook": `whsec_${body(32)}`,
  "Hugging Face": `hf_${body(34)}`,
  SendGrid: `SG.${body(22)}.${body(43)}`,
  DigitalOcean: `dop_v1_${hex(64)}`,
  Docker: `dckr_pat_${body(27)}`,
  Vault: `hvs.${body(90)}`,
  "a JSON web token": `eyJ${body(20)}.eyJ${body(30)}.${body(43)}`,
};

const none = createRedactor({ values: [] });

describe("a token is taken out wherever it stands", () => {
  for (const [what, token] of Object.entries(TOKENS))
    test(what, () => {
      expect(none.line(`set ${token}, done`)).toBe("set [redacted], done");
      expect(none.line(`\x1b[1;32m${token}\x1b[0m`)).toBe("\x1b[1;32m[redacted]\x1b[0m");
      expect(none.line(`TOKEN="${token}"`)).toBe('TOKEN="[redacted]"');
      expect(JSON.parse(none.line(JSON.stringify({ a: `x\n${token}\n`, b: [token] })))).toEqual({
        a: "x\n[redacted]\n",
        b: ["[redacted]"],
      });
      expect(none.text(`one\n${token}\nthree`)).toBe("one\n[redacted]\nthree");
    });
});

describe("a secret is known by what stands in front of it", () => {
  const secret = "Zm9vOmJhcg0123456789";
  const cases: readonly (readonly [string, string])[] = [
    [`Authorization: Basic ${secret}==`, "Authorization: Basic [redacted]"],
    [`> authorization: bearer ${secret}`, "> authorization: bearer [redacted]"],
    [`curl -H "Authorization: token ${secret}" x`, 'curl -H "Authorization: token [redacted]" x'],
    [`{"headers":{"Authorization":"Bearer ${secret}"}}`, '{"headers":{"Authorization":"Bearer [redacted]"}}'],
    [`headers: { 'Authorization': 'Bearer ${secret}' }`, "headers: { 'Authorization': 'Bearer [redacted]' }"],
    [`http.extraHeader=Authorization: Basic ${secret}`, "http.extraHeader=Authorization: Basic [redacted]"],
    [`PRIVATE-TOKEN: ${secret}`, "PRIVATE-TOKEN: [redacted]"],
    [`-H 'x-api-key: ${secret}'`, "-H 'x-api-key: [redacted]'"],
    [`aws_secret_access_key = ${body(40)}`, "aws_secret_access_key = [redacted]"],
    [`"SecretAccessKey": "${body(38)}/+",`, '"SecretAccessKey": "[redacted]",'],
    [`//registry.npmjs.org/:_authToken=${secret}`, "//registry.npmjs.org/:_authToken=[redacted]"],
    ["machine host login una password s3cret", "machine host login una password [redacted]"],
    ["https://una:s3cret@host/x", "https://una:[redacted]@host/x"],
    ["postgres://app:p%40ss:w0rd@db:5432/x", "postgres://app:[redacted]@db:5432/x"],
    [`https://${secret}@host/x`, "https://[redacted]@host/x"],
    [
      `fatal: unable to access 'https://u:${secret}@h/r.git/'`,
      "fatal: unable to access 'https://u:[redacted]@h/r.git/'",
    ],
    [`GET /x?access_token=${secret}&y=1`, "GET /x?access_token=[redacted]&y=1"],
  ];
  for (const [line, clean] of cases) test(clean, () => expect(none.line(line)).toBe(clean));
});

describe("what is no secret stays", () => {
  const hash = (name: string) => createHash(name).update("x").digest("hex");
  const image = randomBytes(200_000).toString("base64");
  const lines: readonly (readonly [string, string])[] = [
    ["commits and other hashes", `${hash("sha1")} ${hash("sha256")} ${hash("sha512")} ${hash("md5")}`],
    ["an integrity string of a lock file", `sha512-${createHash("sha512").update("x").digest("base64")}`],
    ["an image", JSON.stringify({ type: "image", data: image })],
    ["an image in an address", `data:image/png;base64,${image}`],
    ["an identifier", "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b toolu_01A2b3C4d5E6f7G8h9 msg_01XyZ"],
    [
      "names",
      "task-20260101-a-long-branch-name-1 sk-learn-estimators-and-more npm_config_user_agent gl-pat hf_transfer",
    ],
    [
      "prose",
      "Basic authorization: a bearer token-based authentication is required, see the pypi-packages page",
    ],
    [
      "addresses",
      "https://host:8443/a@b git@github.com:a/b.git ssh://git@host/x http://localhost:3000/@scope/pkg una@example.com",
    ],
    [
      "a packages' address",
      "https://registry.npmjs.org/@scope/name/-/name-1.2.3.tgz https://esm.sh/react@18.2.0",
    ],
    [
      "usage of a model",
      '{"usage":{"input_tokens":123456789,"cache_read_input_tokens":1},"max-tokens":100000}',
    ],
    ["a query", "https://h/search?token=short&key=a-sorting-key-of-some-length"],
    [
      "code",
      "const authorization = headers.authorization; if (bearer === undefined) throw new Error(`no private-token`);",
    ],
  ];
  for (const [what, line] of lines)
    test(what, () => {
      const clean = none.line(line);
      if (clean !== line) expect(clean.slice(0, 400)).toBe(line.slice(0, 400));
      expect(clean === line).toBe(true);
    });
});

test("a token is found however its line comes in pieces", () => {
  const pieces = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(fc.constantFrom(...Object.values(TOKENS)), pieces, fc.boolean(), (token, sizes, json) => {
      const line = json ? JSON.stringify({ text: `say ${token} now` }) : `say ${token} now`;
      const bytes = Buffer.from(`before\n${line}\nafter\n`);
      const splitter = createLineSplitter();
      const seen: string[] = [];
      for (let at = 0, n = 0; at < bytes.length; n++) {
        const size = sizes[n % sizes.length] ?? 1;
        seen.push(...splitter.push(bytes.subarray(at, at + size)).map(({ text }) => none.line(text)));
        at += size;
      }
      const clean = "say [redacted] now";
      expect(seen).toEqual(["before", json ? JSON.stringify({ text: clean }) : clean, "after"]);
    }),
  );
});

describe(deep("the search takes linear time"), () => {
  const SIZE = 400_000;
  const fill = (piece: string, size = SIZE) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
  const pieces = [
    ...[
      "a",
      "a.",
      "a-",
      "a ",
      "://",
      "http://",
      "http://a:",
      "://a:",
      "https://aaaaaaaaaaaaaaaaaaaa",
      "?token=",
    ],
    ...[
      "sk-",
      "sk-a",
      "eyJ",
      "eyJ.",
      "eyJaaaaaaaa.",
      "eyJaaaaaaaa.eyJ",
      "ghp_",
      "ghp_.",
      "glpat-.",
      "glpat-",
      "xapp-1-",
    ],
    ...[
      "SG.",
      "npm_",
      "AIza",
      "AKIA",
      "hvs.",
      "ya29.",
      "-----BEGIN ",
      "-----BEGIN A PRIVATE KEY-----",
      "\x1b[0;",
      "\x1b[m",
    ],
    ...[
      "authorization: basic ",
      "authorization:",
      "bearer ",
      "bearer a",
      "secret_access_key=",
      "_auth=",
      "session_token=a",
      "machine ",
      "machine a ",
    ],
    ...["\\n", '\\"', '"', "{", "[", '{"a":'],
  ];
  /** The least of three goes, in milliseconds. */
  const took = (text: string) =>
    Math.min(
      ...[1, 2, 3].map(() => {
        const began = cpuTime();
        const redactor = createRedactor({ values: ["a known value"] });
        redactor.line(text);
        redactor.text(text);
        return cpuTime() - began;
      }),
    );
  for (const piece of pieces)
    test(`of ${JSON.stringify(piece)} again and again`, () => {
      for (const [before, after] of [
        ["", ""],
        ['{"a":"', '"}'],
      ]) {
        const time = took(`${before}${fill(piece)}${after}`);
        // Quadratic time would be minutes.
        expect(time).toBeLessThan(1_500);
      }
    });
});
