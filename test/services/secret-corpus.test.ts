/** Measures what the publish gate finds in a corpus of credentials, and what it flags among their harmless twins. */
import { describe, expect, test } from "bun:test";
import { findTokens, SECRET_SHAPES } from "../../src/domain/secrets/find/find-secrets.ts";
import { type Credential, findCredentials } from "../../src/services/gate/find-credentials.ts";
import { readText } from "../../src/services/gate/read-text.ts";
import { type CorpusEntry, credentials, harmless, lastMissed } from "../helpers/secrets/corpus.ts";
import { drawsOf, fill } from "../helpers/secrets/draw.ts";
import { TOKEN_TEMPLATES } from "../helpers/secrets/token-templates.ts";

async function look({ file }: CorpusEntry): Promise<readonly Credential[]> {
  const { text, isBinary } = readText(file.bytes);
  const found = await findCredentials(text, { path: file.path, isBinary, isLate: () => false });
  return found ?? [];
}

const nameOf = ({ name, file }: CorpusEntry) => `${name} in ${file.path}`;
const percent = (part: number, whole: number) => (100 * part) / whole;

describe("the gate and a corpus of credentials", () => {
  test("finds at least 98 of 100, and takes at most 1 of 100 harmless twins for one", async () => {
    const real = await Promise.all(credentials().map(async (entry) => ({ entry, found: await look(entry) })));
    const twins = await Promise.all(harmless().map(async (entry) => ({ entry, found: await look(entry) })));
    const missed = real.filter(({ found }) => found.length === 0).map(({ entry }) => nameOf(entry));
    const wrong = twins.filter(({ found }) => found.length > 0).map(({ entry }) => nameOf(entry));
    const found = percent(real.length - missed.length, real.length);
    const taken = percent(wrong.length, twins.length);
    const shapes = new Set(real.map(({ entry }) => entry.name)).size;
    console.log(
      `found ${found.toFixed(1)} % of ${real.length} credentials of ${shapes} shapes, and ${taken.toFixed(1)} % of ${twins.length} harmless files`,
    );
    expect({ isLarge: real.length >= 1_000 && shapes >= 700 && twins.length >= 1_000 }).toEqual({
      isLarge: true,
    });
    expect({ missed, isEnough: found >= 98 }).toMatchObject({ isEnough: true });
    expect({ wrong, isFew: taken <= 1 }).toMatchObject({ isFew: true });
  });

  test("finds all that the last blind corpus showed to be missing", async () => {
    const tried = await Promise.all(lastMissed().map(async (entry) => ({ entry, found: await look(entry) })));
    expect(tried.filter(({ found }) => found.length === 0).map(({ entry }) => nameOf(entry))).toEqual([]);
  });

  test("a finding is masked: it holds no more than four characters of the credential", async () => {
    for (const entry of credentials())
      for (const { kind, credential } of await look(entry))
        expect(kind).not.toContain(credential.slice(0, 8));
  });
});

test("a credential where two pieces of a long file overlap is found once, wherever it stands", async () => {
  const token = fill("AKIA<b16>", drawsOf("overlap"));
  for (const before of [230_000, 237_560, 238_000, 240_100, 256_000, 262_140, 270_000]) {
    const text = `${"x ".repeat(before / 2)}\n${token}\n${"y ".repeat(40_000)}`;
    const found = await findCredentials(text, { path: "a.txt", isBinary: false, isLate: () => false });
    expect({ before, found: found?.map(({ credential }) => credential) }).toEqual({ before, found: [token] });
  }
});

describe("the redactor reads the same list", () => {
  test("takes out every token with a fixed prefix, wherever it stands", () => {
    const kept = TOKEN_TEMPLATES.filter(({ name, template }) => {
      const token = fill(template, drawsOf(`${name} redacted`));
      const places = [
        `set ${token}, done`,
        `\u001b[1;32m${token}\u001b[0m`,
        `X="${token}"`,
        `a\\n${token}\\n`,
      ];
      return places.some((text) => findTokens(text).length === 0);
    });
    expect(kept.map(({ name }) => name)).toEqual([]);
  });

  test("a row that is of one reader only says why", () => {
    const silent = SECRET_SHAPES.filter(
      ({ readers }) => !(readers.gate && readers.redactor) && readers.why === "",
    );
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  test("every row begins with three characters that the first pass can look for", () => {
    const short = SECRET_SHAPES.flatMap(({ name, starts }) =>
      starts.filter((start) => start.length < 3).map((start) => `${name}: ${start}`),
    );
    expect(short).toEqual([]);
  });
});
