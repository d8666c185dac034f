/** Explains what is wrong with the machine, the repository, the agents and the data folder, and how to mend it. */
import { ok } from "neverthrow";
import { defineCommand } from "../../shared/command.ts";
import { findingsText } from "../../view/findings-text.ts";

export const doctorCommand = defineCommand({
  brief:
    "Say what is wrong with machine, repository, agents and data folder, and how to mend it; change nothing",

  async act({ entries, terminal }) {
    const findings = await entries.doctor(terminal.cwd);
    return ok({
      exit: findings.some(({ level }) => level === "error") ? 1 : 0,
      document: { findings },
      text: (columns) => findingsText(findings, { columns, colour: terminal.stdout.colour }),
    });
  },
});
