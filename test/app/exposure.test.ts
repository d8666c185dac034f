/** Tells which flags of `serve` say safely how far a server is reached, and which are refused in words. */
import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readExposure } from "../../src/app/server/exposure.ts";
import { makeCertificate, OPENSSL } from "../helpers/certificate.ts";
import { tempDir } from "../helpers/temp-dir.ts";

const skip = OPENSSL === null;
const why = skip ? " (skipped: there is no openssl)" : "";
const NONE = { host: null, tlsCert: null, tlsKey: null, trustProxy: [], publicUrl: null };

type Flags = Partial<Parameters<typeof readExposure>[0]>;

test.skipIf(skip)(`flags that would let anybody in are refused with exit 2${why}`, async () => {
  await using folder = await tempDir();
  const good = await makeCertificate(folder.path, { names: "DNS:box.test" });
  const other = await makeCertificate(folder.path, { names: "DNS:box.test" });
  const nameless = await makeCertificate(folder.path, { names: "" });
  const garbage = join(folder.path, "garbage.pem");
  await writeFile(garbage, "no certificate");
  const tls = (tlsCert: string, tlsKey: string): Flags => ({ tlsCert, tlsKey });
  const proxy = (cidr: string, publicUrl: string): Flags => ({ trustProxy: [cidr], publicUrl });
  const cases: [string, Flags, string][] = [
    ["not_loopback", { host: "0.0.0.0" }, "listens on this machine only"],
    ["not_loopback", { host: "::" }, "listens on this machine only"],
    ["not_loopback", { host: "box.test" }, "listens on this machine only"],
    ["bad_usage", { host: "" }, "empty"],
    ["bad_usage", { tlsCert: good.cert }, "belong together"],
    ["bad_usage", { host: "0.0.0.0", tlsKey: good.key }, "belong together"],
    ["bad_usage", { trustProxy: ["10.0.0.1"] }, "belong together"],
    ["bad_usage", { publicUrl: "https://tazuna.test" }, "belong together"],
    [
      "bad_usage",
      { ...tls(good.cert, good.key), ...proxy("10.0.0.1", "https://x.test") },
      "exclude each other",
    ],
    ["bad_certificate", tls("/nowhere.pem", good.key), "cannot be read"],
    ["bad_certificate", tls(good.cert, "/nowhere.pem"), "cannot be read"],
    ["bad_certificate", tls(garbage, good.key), "holds no certificate"],
    ["bad_certificate", tls(good.cert, garbage), "holds no private key"],
    ["bad_certificate", tls(good.cert, other.key), "is not the key of"],
    ["bad_usage", { host: "0.0.0.0", ...tls(nameless.cert, nameless.key) }, "names no host"],
    ["bad_usage", proxy("0.0.0.0/0", "https://x.test"), "not a network"],
    ["bad_usage", proxy("10.0.0.1/33", "https://x.test"), "not a network"],
    ["bad_usage", proxy("10.0.0.1/", "https://x.test"), "not a network"],
    ["bad_usage", proxy("proxy.test", "https://x.test"), "not a network"],
    ["bad_usage", proxy("10.0.0.1", "http://x.test"), "not an address"],
    ["bad_usage", proxy("10.0.0.1", "https://x.test/tazuna"), "not an address"],
    ["bad_usage", proxy("10.0.0.1", "https://me@x.test"), "not an address"],
    ["bad_usage", proxy("10.0.0.1", "x.test"), "not an address"],
  ];
  for (const [code, flags, words] of cases) {
    const error = (await readExposure({ ...NONE, ...flags }))._unsafeUnwrapErr();
    expect({ flags, ...error }).toMatchObject({
      flags,
      exit: 2,
      code,
      message: expect.stringContaining(words),
    });
    expect(error.remedy.length).toBeGreaterThan(20);
  }
});

test.each([null, "127.0.0.1", "localhost", "::1"])("this machine alone needs no more: %j", async (host) => {
  const exposure = (await readExposure({ ...NONE, host }))._unsafeUnwrap();
  expect(exposure).toEqual({ kind: "loopback", host: host ?? "127.0.0.1" });
});
