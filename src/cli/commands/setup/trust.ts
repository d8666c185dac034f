/** Shows the scripts that a repository would run and trusts them after a person agreed. */
import { err, ok } from "neverthrow";
import type { ScriptDocument } from "../../../contract/endpoints/repositories.ts";
import { cleanLine } from "../../../contract/text.ts";
import { actorWords, needsNames } from "../../../contract/words/actor-words.ts";
import { type Done, defineCommand, switchFlag } from "../../shared/command.ts";
import { askForTrust, INTERRUPTED, scriptsText, trustThese } from "../../shared/trust-scripts.ts";

export const trustCommand = defineCommand({
  brief: "Read the scripts that this repository would run, and trust them as they are now",
  flags: { yes: switchFlag("Trust them without being asked") },
  async *act({ engine, terminal }, { yes }) {
    const repository = terminal.cwd;
    const { items: scripts } = yield* await engine.ask((client) => client.scripts({ repository }));
    const open = scripts.filter((script) => !script.trusted);
    if (open.length === 0) return ok(shown(scripts));
    const answer = yes ? "yes" : await askForTrust(terminal, open);
    if (answer === "interrupted") return err(INTERRUPTED);
    if (answer === "no") return ok({ ...shown(scripts), exit: 3 });
    const trusted = await trustThese(engine, repository, open);
    return trusted.map(shown);
  },
});

function shown(scripts: readonly ScriptDocument[]): Done {
  const document = { scripts };
  const part = (trusted: boolean) => scripts.filter((script) => script.trusted === trusted);
  const [trusted, open] = [part(true), part(false)];
  const text = [
    scripts.length === 0 ? "This repository has no scripts of its own to trust.\n" : "",
    trusted.length === 0 ? "" : `Trusted:\n${trustedText(trusted)}`,
    open.length === 0 ? "" : `Not trusted:\n${scriptsText(open)}To trust them: \`tazuna trust --yes\`.\n`,
  ].join("");
  return { document, text };
}

/** With who trusted each, as soon as that needs to be told. */
function trustedText(scripts: readonly ScriptDocument[]): string {
  if (!needsNames(scripts.map(({ by }) => by))) return scriptsText(scripts);
  const byText = ({ by }: ScriptDocument) =>
    by === undefined ? "" : `      trusted by ${cleanLine(actorWords(by))}\n`;
  return scripts.map((script) => `${scriptsText([script])}${byText(script)}`).join("");
}
