/** Says what is wrong with the machine, the repository, the agents and the data folder, and how to mend it. */
import { ok } from "neverthrow";
import { type CommonFlags, defineCommand, JSON_FLAG } from "../../shared/command.ts";
import { findingsText } from "../../view/findings-text.ts";

export const doctorCommand = defineCommand<CommonFlags, []>({
  brief:
    "Say what is wrong with the machine, the repository, the agents and the data folder, and how to mend it; changes nothing",
  parameters: { positional: { kind: "tuple", parameters: [] }, flags: JSON_FLAG },
  async act({ entries, terminal }) {
    const findings = await entries.doctor(terminal.cwd);
    return ok({
      exit: findings.some(({ level }) => level === "error") ? 1 : 0,
      document: { findings },
      text: (columns) => findingsText(findings, { columns, colour: terminal.stdout.colour }),
    });
  },
});
