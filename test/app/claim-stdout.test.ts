import { expect, test } from "bun:test";
import { join } from "node:path";

const MODULE = JSON.stringify(join(import.meta.dir, "../../src/app/process/claim-stdout.ts"));

/** What a program prints that claims its standard output first. */
async function printed(program: string): Promise<{ readonly out: string; readonly err: string }> {
  const text = `const { claimStdout } = await import(${MODULE}); const { write, end } = claimStdout();\n${program}`;
  const child = Bun.spawn([process.execPath, "--no-env-file", "-e", text], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect(await child.exited).toBe(0);
  return { out, err };
}

test("only the one who claimed standard output writes to it; all else goes to standard error", async () => {
  const { out, err } = await printed(`
    console.log("log"); console.info("info"); console.debug("debug"); console.dir({ dir: 1 }); console.table([["table"]]);
    console.group("group"); console.groupEnd(); process.stdout.write("write\\n");
    const { log } = console; log("taken out");
    await write('{"mine":1}\\n');
  `);
  expect(out).toBe('{"mine":1}\n');
  for (const word of ["log", "info", "debug", "dir", "table", "group", "write", "taken out"])
    expect(err).toContain(word);
});

test("a text of megabytes is written whole, in order", async () => {
  const { out } = await printed(`
    await Promise.all([write("a".repeat(3_000_000)), write("b".repeat(3_000_000)), write("c\\n")]);
    await end();
  `);
  expect(out).toBe(`${"a".repeat(3_000_000)}${"b".repeat(3_000_000)}c\n`);
});
