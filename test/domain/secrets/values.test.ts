import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { maskCredential } from "../../../src/domain/publish/mask.ts";
import { findSecrets } from "../../../src/domain/secrets/find/find-secrets.ts";
import { looksRandom } from "../../../src/domain/secrets/judge-value.ts";
import { cpuTime } from "../../helpers/cpu-time.ts";
import { deep } from "../../helpers/tier.ts";

const found = (text: string, path = "a.ts") =>
  findSecrets(text, { path, isBinary: false }).map(({ start, end }) => text.slice(start, end));
const findPrivateKeys = (text: string) =>
  findSecrets(text, { path: "a.txt", isBinary: false }).filter(({ name }) => name === "private key");

const SECRET = "q7Rt2Zp9Lx4Vb8Nk3Wm6Hs1Yd5";

describe("a random string under the name of a secret", () => {
  test.each([
    ["a.ts", `const apiToken = "${SECRET}";`],
    ["a.json", `{ "client_secret": "${SECRET}" }`],
    ["a.py", `config['SECRET_KEY'] = '${SECRET}'`],
    ["a.go", `password := \`${SECRET}\``],
    ["a.rb", `secret_key => "${SECRET}"`],
    [".env.example", `export API_KEY=${SECRET}`],
    ["settings.yaml", `  access-token: ${SECRET}\r`],
    ["deploy/app.properties", `db.password=${SECRET}`],
  ])("is found in %s: %s", (path, text) => {
    expect(found(`first\n${text}\nlast`, path)).toEqual([SECRET]);
  });

  test.each([
    ["A-Za-z0-9", 380],
    ["A-Za-z0-9+/", 380],
    ["a-z0-9", 300],
    ["A-Z2-7", 200],
  ])("drawn from %s it is found in at least %d of 400 cases", (letters, cases) => {
    const alphabet = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter((one) =>
      new RegExp(`[${letters}]`).test(one),
    );
    const drawn = Array.from({ length: 400 }, (_, round) =>
      drawnFrom(alphabet, 32 + (round % 16), round + 1),
    );
    expect(drawn.filter((one) => looksRandom(one, { shortest: 20 })).length).toBeGreaterThanOrEqual(cases);
  });
});

/** Always the same for the same seed. */
function drawnFrom(alphabet: readonly string[], length: number, seed: number): string {
  let state = seed * 2654435761;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return alphabet[Math.floor((state / 2 ** 32) * alphabet.length)] ?? "";
  }).join("");
}

describe("what is no secret is not found", () => {
  test.each([
    ["a git id", `token = "9fceb02d0ae598e95dc970b74767f19372d61af8"`],
    ["a SHA-256", `secretKey: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"`],
    ["a UUID", `"apiKey": "123e4567-e89b-42d3-a456-426614174000"`],
    [
      "the hash of a password",
      `passwordHash = "JDJhJDEwJE45cW84dUxPaWNrZ3gyWk1SWm9NeWVJalpBZ2NmbDdwOTJsZEd4YWQ2OExKWmRMMTdsaFdZ"`,
    ],
    [
      "an integrity",
      `"key": "sha512-IcOR87MpNjp/WTO7bVMsIj3qkhVD+Qr/oNaA0Xl4Ok1LqG4bjXu5RjiY0Kid70BoR9eCJgko=="`,
    ],
    ["a variable", "const token = process.env.GITHUB_TOKEN_2024_RELEASE;"],
    ["a call", "password = await readPasswordFromKeychain(account2, timeout5);"],
    ["a name of a class", `key: "UserAccountSettingsPage2Controller"`],
    ["a path", `"keyFile": "./certificates/server-2024/private.pem"`],
    ["a placeholder", `API_KEY="your-api-key-goes-here-1234567890"`],
    ["a name under no name of a secret", `const id = "${SECRET}"`],
    [
      "an image",
      `"token": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4"`,
    ],
    ["a translation key", `"reset_password_key": "account.password.reset_2.confirmation"`],
  ])("%s: %s", (_, text) => {
    expect(found(text)).toEqual([]);
  });

  test.each(["package-lock.json", "x/Cargo.lock", "go.sum", "a.js.map", "pnpm-lock.yaml"])(
    "in %s, which a tool writes",
    (path) => {
      expect(found(`"token": "${SECRET}"`, path)).toEqual([]);
    },
  );

  test("a key of a table in a line that a machine made; a token there is one", () => {
    expect(found(`${"a".repeat(1200)};key="${SECRET}"`)).toEqual([]);
    expect(found(`${"a".repeat(1200)};token="${SECRET}"`)).toEqual([SECRET]);
  });

  test("an expression without quotes, in code", () => {
    expect(found(`token = ${SECRET}`, "a.ts")).toEqual([]);
  });

  const word = fc.constantFrom(
    ..."the user token account secret settings button password reload key list Item value create delete update name total count first second handle Request response build Render".split(
      " ",
    ),
  );
  const joined = fc.tuple(
    fc.array(word, { minLength: 3, maxLength: 12 }),
    fc.constantFrom("-", "_", ".", "", " ", "/"),
  );

  test("words, however they are joined and numbered", () => {
    fc.assert(
      fc.property(joined, fc.nat(99), ([words, by], number) => {
        const text = words.join(by) + String(number);
        const camel =
          words.map((each) => each.charAt(0).toUpperCase() + each.slice(1)).join("") + String(number);
        expect(found(`secretKey = "${text}"; token: "${camel}"`)).toEqual([]);
      }),
    );
  });

  test.each(["first-the-first-secret12", "FirstTheFirstSecret12"])("%s", (text) => {
    expect(found(`secretKey = "${text}"`)).toEqual([]);
  });

  test("the pattern that reads a password out of a text", () => {
    expect(found("const word = /^password=(.+)$/m.exec(answer)?.[1];", "a.ts")).toEqual([]);
    expect(found("match(/secret=(.*)@(.*)Zq9/i)", "a.ts")).toEqual([]);
  });

  test("hexadecimal text under a name that may be a hash's, but not under a name for a key", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-f]{20,128}$/), (hex) => {
        for (const name of ["token", "key", "secretHash", "password_digest", "commit"])
          expect(found(`${name} = "${hex}"`)).toEqual([]);
      }),
    );
    const drawn = "9c1185a5c5e9fc54612808977ee8f548";
    expect(found(`client_secret = "${drawn}"; apiKey: "${drawn.toUpperCase()}"`)).toEqual([
      drawn,
      drawn.toUpperCase(),
    ]);
  });

  test("the product's own source", async () => {
    const paths = [...new Bun.Glob("{src,scripts,bench}/**/*.ts").scanSync(".")];
    const all = await Promise.all(paths.map(async (path) => found(await Bun.file(path).text(), path)));
    expect(paths.length).toBeGreaterThan(100);
    expect(all.flat()).toEqual([]);
  });
});

test(deep("any text is read in a time that grows with its length"), () => {
  const parts = [
    "secret",
    "token=",
    "key='",
    "a.",
    "password ",
    "-----BEGIN PRIVATE KEY-----",
    "\t ",
    "pass=a",
  ];
  const more = [
    "://a:",
    "eyJ.",
    "authorization: ",
    "machine a ",
    "_auth=",
    "-u a:",
    "Private-Lines: 1",
    "Q~8Q~",
  ];
  const starts = ["ghp_", "github_pat_a", "glpat-", "hvs.CAES", "xoxb-", "sk-ant-a"];
  for (const part of [...parts, ...more, ...starts, 'd":"', "<d>", ":5432:a:b:", "MTAMTA", 'password:"a']) {
    const began = cpuTime();
    found(part.repeat(40_000), "a.env");
    // Quadratic time would be minutes.
    expect({ part, isSlow: cpuTime() - began > 4_000 }).toEqual({ part, isSlow: false });
  }
});

describe("a private key", () => {
  const body = "MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF";
  test.each([
    ["a short one", `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----`],
    ["with CRLF", `-----BEGIN EC PRIVATE KEY-----\r\n${body}\r\n-----END EC PRIVATE KEY-----`],
    ["in JSON", `-----BEGIN PRIVATE KEY-----\\n${body}\\n-----END PRIVATE KEY-----`],
    [
      "an encrypted one",
      `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n${body}\n-----END RSA PRIVATE KEY-----`,
    ],
  ])("%s is found", (_, key) => {
    expect(findPrivateKeys(`x ${key} y`)).toHaveLength(1);
  });

  test("a placeholder and a public key are none", () => {
    const text = `-----BEGIN PRIVATE KEY-----\n${"x".repeat(64)}\n-----END PRIVATE KEY-----\n-----BEGIN PUBLIC KEY-----\n${body}\n-----END PUBLIC KEY-----`;
    expect(findPrivateKeys(text)).toEqual([]);
  });
});

test("a mask tells four characters at most, and only of what begins with a known prefix", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[!-~]{1,80}$/), fc.boolean(), (credential, hasPrefix) => {
      const masked = maskCredential({ credential, hasPrefix });
      const told = masked.replace(`${credential.length} characters`, "").replace("…, ", "");
      expect(told).toBe(hasPrefix && credential.length >= 12 ? credential.slice(0, 4) : "");
    }),
  );
});

test("a word such as `test` excuses no random value beside it", () => {
  for (const word of ["test", "fixture", "demo", "secret", "token", "password"]) {
    const value = `${SECRET.slice(0, 18)}-${word}-${SECRET.slice(4, 24)}`;
    expect([word, found(`API_KEY=${value}\n`, "a.env")]).toEqual([word, [value]]);
    expect(found(`postgres://svc:${value}@db.prod:5432/a\n`, "a.env")).toHaveLength(1);
    expect(found(`API_KEY=my-${word}-value\n`, "a.env")).toEqual([]);
  }
});
