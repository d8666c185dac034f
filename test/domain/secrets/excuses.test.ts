/** Tries what the list takes for no secret: no word, name, sign or place excuses a random value. */
import { describe, expect, test } from "bun:test";
import { findSecrets, findTokens } from "../../../src/domain/secrets/find/find-secrets.ts";
import { drawsOf, fill } from "../../helpers/secrets/draw.ts";

const found = (text: string, path = "a.env") =>
  findSecrets(text, { path, isBinary: false }).map(({ start, end }) => text.slice(start, end));

const WORDS =
  "test example sample dummy fake mock placeholder changeme demo todo secret token password foobar redacted replace removed lorem xxxx admin".split(
    " ",
  );

describe("a word beside a drawn value excuses nothing", () => {
  test.each(WORDS)("%s", (word) => {
    const draw = drawsOf(`beside ${word}`);
    const long = fill("<A28>", draw);
    for (const value of [`${word}_${long}`, `${long}-${word}`, `${long}-${word}-${fill("<A18>", draw)}`])
      expect([value, found(`API_TOKEN=${value}\n`)]).toEqual([value, [value]]);
    const token = `ghp_${word}${fill("<A30>", draw)}`;
    expect(found(`run ${token}\n`)).toEqual([token]);
    const short = `${word}-x9Kf2QzR7mLw`;
    expect(found(`DB_PASSWORD=${short}\n`)).toEqual([short]);
    expect(found(`url: postgres://app:${short}@db.acme.io/x\n`)).toEqual([short]);
  });

  test.each([
    "fake-token-abc123",
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "fake_access_token_0123456789abcdef",
    "your-256-bit-secret-goes-here-please",
    "test-key-for-unit-tests-only-0001",
    "s3cr3t-p4ssw0rd",
    "P@ssw0rd2024!",
    "foo-bar-baz-qux-123",
  ])("but %s is made up", (value) => {
    expect(found(`API_TOKEN=${value}\n{"password":"${value}"}\n`)).toEqual([]);
  });
});

test("the ends of lines do not make a made-up OpenVPN key a real one", () => {
  const key = (line: string) => `-----BEGIN OpenVPN Static key V1-----\n${`${line}\n`.repeat(16)}`;
  expect(found(key("0123456789abcdef0123456789abcdef"))).toEqual([]);
  const draw = drawsOf("an OpenVPN key");
  const drawn = Array.from({ length: 16 }, () => fill("<H32>", draw)).join("\n");
  expect(found(`-----BEGIN OpenVPN Static key V1-----\n${drawn}\n`).length).toBe(1);
});

describe("a pattern that comes by chance in a long value", () => {
  const start = fill("<A30>", drawsOf("chance"));
  test.each(["123456", "abcdef", "000000"])("%s is no excuse", (part) => {
    const value = `${start}${part}${fill("<A30>", drawsOf(part))}`;
    expect(found(`API_TOKEN=${value}\n`)).toEqual([value]);
  });
});

describe("a password", () => {
  test.each([
    "river-mango-tulip-77",
    "Falcon.Copper.Window.42",
    "Kestrel!99Anvil",
    "8g6Vbb-yT)RD<pDg",
    "M~n&?#D--E)Z^:_2;~gX",
    "5z)9-*gb}5n6g=FK+X%(5*",
    "kQ4$mzR9!vTw",
  ])("that is a phrase or full of signs is one: %s", (value) => {
    expect(found(`{"password": ${JSON.stringify(value)}}`, "a.json")).toEqual([value]);
  });

  test("in an address may be hexadecimal", () => {
    for (let round = 0; round < 40; round++) {
      const value = fill("<H64>", drawsOf(`hexadecimal ${round}`));
      expect(found(`postgres://app:${value}@db.acme.io/x`)).toEqual([value]);
    }
  });

  test.each([
    "account-password-reset-v2",
    "login-form-input-22",
    "auth.login.field22",
    "correct horse battery staple",
    "'+e.pwdX1+'",
    "<%= pwdX1z %>",
  ])("is none as %s", (value) => {
    expect(found(`{"password": "${value}"}`, "a.json")).toEqual([]);
  });
});

describe("a name that only sounds harmless", () => {
  const value = fill("<A32>", drawsOf("names"));
  test.each([
    "AUTOMATION_BYPASS_SECRET",
    "CSRF_SECRET",
    "HASH_SECRET_KEY",
    "MONKEY_API_SECRET",
    "TOKENIZER_API_KEY",
    "I18N_API_TOKEN",
  ])("%s is the name of a secret", (name) => {
    expect(found(`${name}=${value}\n`)).toEqual([value]);
  });

  test.each(["CSRF_TOKEN", "BYPASS_ROUTE", "MONKEY_NAME", "PUBLIC_API_KEY", "PASSWORD_HASH"])(
    "%s is none",
    (name) => {
      expect(found(`${name}=${value}\n`)).toEqual([]);
    },
  );
});

describe("a web token", () => {
  const tokenOf = (payload: unknown) =>
    `${btoa('{"alg":"HS256"}')}.${btoa(JSON.stringify(payload)).replace(/=+$/, "")}.${fill("<A43>", drawsOf("web"))}`;

  test("of a host or a person that documentation likes is one", () => {
    for (const payload of [
      { iss: "https://id.example.com", n: 7 },
      { name: "Alice Cooper", n: 7 },
    ])
      expect(found(tokenOf(payload))).toHaveLength(1);
    expect(found(tokenOf({ sub: "1234567890", name: "John Doe" }))).toEqual([]);
  });
});

describe("the key beside the id of AWS", () => {
  const draw = drawsOf("pair");
  const [id, key] = [`AKIA${fill("<b16>", draw)}`, fill("<B40>", draw)];
  test.each([`${id}\n${key}\n`, `una,${id},${key}\n`, `"${id}", "${key}"`])(
    "is taken with it: %#",
    (text) => {
      expect(found(text).join()).toContain(key);
      expect(
        findTokens(text)
          .map(({ start, end }) => text.slice(start, end))
          .join(),
      ).toContain(key);
    },
  );
});
