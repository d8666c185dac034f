/** Slips in settings are told before or with the run, with what was probably meant. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ask, ending, PATIENCE_MS, refused } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

test(
  deep("copy patterns that bring nothing are told on the run and by doctor, and typos with the nearest name"),
  async () => {
    await using product = await startProduct();
    await product.agent("agent", "echo \"password = 'Zk39x0Qm1LrT77pWb2nV'\" > config.py; echo Done.");
    await writeFile(join(product.repository, "settings.local"), "x\n");
    await product.configure({ copy: ["*.local", "/setings.local", "!README.md"] });

    const run = ["run", "Change it", "--agent", "agent"];
    const end = await ask(product, run, { env: { TAZUNA_PUBLSH: "commit" } });
    const notes = end.run.notes.filter(({ code }) => code === "copy_unmatched");
    expect(notes.map(({ details }) => details)).toEqual([{ pattern: "/setings.local" }]);
    expect(end.stderr).toContain("TAZUNA_PUBLSH is not read; did you mean TAZUNA_PUBLISH?");
    expect(ending(end.run)).toMatchObject({ failure: "gate_rejected" });

    const doctor = await product.tazuna(["doctor", "--json"], { env: { TAZUNA_PUBLSH: "commit" } });
    const { findings } = doctor.json<{ findings: { id: string; level: string; what: string }[] }>();
    const findingWith = (id: string) => findings.find((finding) => finding.id === id);
    expect(findingWith(`copy:${product.repository}`)?.what).toContain('"/setings.local"');
    expect(findingWith("variable:TAZUNA_PUBLSH")?.level).toBe("warning");

    const allow = (rule: string) =>
      refused(product, ["publish", end.attempt.id, "--allow", rule, "--reason", "a fixture"]);
    expect((await allow("credentials")).error).toMatchObject({
      code: "unknown_rule",
      message: expect.stringContaining('did you mean "credential"?'),
    });
    expect((await allow("file_too_large")).error.code).toBe("nothing_to_allow");

    await product.configure({ gate: { rules: { credentail: "report" } } });
    expect(await refused(product, run)).toMatchObject({
      code: 2,
      error: { code: "bad_configuration", message: expect.stringContaining('did you mean "credential"?') },
    });
  },
);
