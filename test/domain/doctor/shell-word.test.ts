/** Tells that a shell reads a copied path of a command unchanged, also if a terminal shows it. */
import { expect, test } from "bun:test";
import { cleanLine } from "../../../src/contract/text.ts";
import { shellWord } from "../../../src/domain/text/shell-word.ts";
import { exec } from "../../../src/utils/exec.ts";
import { BASH } from "../../helpers/need.ts";

test
  .skipIf(BASH.missing)
  .each([
    "/plain/path",
    "/with one space/it's",
    "/two  spaces/three   spaces",
    "/new\nline/tab\there",
    "/red\u001b[31m/bell\u0007/c1\u0085\u009b",
    "/quote' back\\slash  $(touch x) `id`",
    "/umlaut ä  日本",
  ])(`%j${BASH.why}`, async (path) => {
  const shown = cleanLine(`printf %s ${shellWord(path)}`);
  const said = await exec(["bash", "-c", shown], { cwd: "/", env: process.env });
  expect(said).toMatchObject({ code: 0, stdout: path });
});
