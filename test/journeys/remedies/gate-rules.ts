/** Lets one agent per rule of the publish gate break it, and repair that when it is asked again. */
import type { Product } from "../../helpers/product.ts";
import { WRITES_CREDENTIAL } from "./follow.ts";

interface Breach {
  /** What the agent does first, and what mends that. */
  readonly breaks: string;
  readonly mends: string;
  /** Whether a person may allow it. */
  readonly allowed: boolean;
}

const MARKERS = ["<<<<<<< a", "=======", ">>>>>>> b"].map((line) => `echo '${line}'`).join("; ");

/** By rule. */
export const BREACHES: Readonly<Record<string, Breach>> = {
  credential: { breaks: WRITES_CREDENTIAL, mends: "rm config.js", allowed: true },
  conflict_marker: { breaks: `(${MARKERS}) > a.txt`, mends: "rm a.txt", allowed: true },
  symlink_outside: { breaks: "ln -s ../../outside out", mends: "rm out", allowed: true },
  disguised_path: { breaks: "echo x > .ENV", mends: "rm .ENV", allowed: true },
  denied_path: { breaks: "echo S=2 > .env", mends: "echo S=1 > .env", allowed: true },
  file_too_large: { breaks: "head -c 2000000 /dev/zero > big.bin", mends: "rm big.bin", allowed: true },
  nested_repository: {
    breaks: "mkdir inner; echo x > inner/x.txt; $GIT init -q inner",
    mends: "rm -rf inner/.git",
    allowed: false,
  },
};

/** An agent for each rule, called after it, and a base that holds a file which `deny` names. */
export async function lawbreakers(product: Product): Promise<void> {
  await product.sandbox.commitTo(product.origin, "main", { ".env": "S=1\n" });
  await product.configure({ gate: { max_file_mib: 1 } });
  for (const [rule, { breaks, mends }] of Object.entries(BREACHES))
    await product.agent(
      rule,
      `unset GIT_CONFIG_COUNT; GIT='${Bun.which("git")}'
case "$(cat "$TAZUNA_INSTRUCTION_FILE")" in Change*) echo one > one.txt; ${breaks};; *) ${mends};; esac`,
    );
}
