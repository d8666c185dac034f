/** If an instruction is typed into standard input (`--file -`), no question can be asked there. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";

setDefaultTimeout(PATIENCE_MS);

test("untrusted scripts are refused if the instruction was typed, since that terminal is read to its end", async () => {
  await using product = await startProduct();
  await product.agent("agent", "echo new > new.txt; echo Done.");
  await mkdir(join(product.repository, ".tazuna"));
  await writeFile(join(product.repository, ".tazuna", "config.json"), JSON.stringify({ setup: ["true"] }));
  let screen = "";
  const command = Bun.spawn(
    [join(import.meta.dir, "../../bin/tazuna"), "run", "--file", "-", "--agent", "agent"],
    {
      cwd: product.repository,
      env: { ...product.env, TERM: "xterm" },
      terminal: {
        cols: 100,
        rows: 30,
        data: (_, bytes) => {
          screen += Buffer.from(bytes).toString();
        },
      },
    },
  );
  // The end of the input, as Ctrl-D types it.
  command.terminal?.write("Change it\n\u0004");
  expect(await command.exited).toBe(3);
  expect(screen).toContain("you have not trusted them yet");
  command.terminal?.close();
});
