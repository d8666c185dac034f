/** Decides whether this machine's git, and the identity that it gives to commits, are sufficient. */
import { type Finding, makeFinding, repositoriesOf } from "./finding.ts";

interface GitFacts {
  /** The output of `git --version`; null if there is no git. */
  readonly version: string | null;
  /** Required programs that are not on the PATH, with what needs them. */
  readonly missing: readonly { readonly program: string; readonly neededBy: string }[];
  /** Names of repositories whose commits would have no author; null if nothing could be asked. */
  readonly withoutIdentity: readonly string[] | null;
}

/** The oldest version that knows all our commands, and the newest generation that was tried. */
const MIN_VERSION = [2, 39] as const;
const TRIED_GENERATION = 2;

export function gitFindings({ version, missing, withoutIdentity }: GitFacts): readonly Finding[] {
  return [
    versionFinding(version),
    ...missing.map(({ program, neededBy }) =>
      makeFinding("error", `program:${program}`, `${program} was not found, and ${neededBy} needs it.`, {
        remedy: `Install ${program}, so that it is on the PATH.`,
      }),
    ),
    ...identityFindings(withoutIdentity),
  ];
}

function versionFinding(version: string | null): Finding {
  const remedy = `Install git ${MIN_VERSION.join(".")} or newer.`;
  if (version === null) return makeFinding("error", "git", "git was not found.", { remedy });
  const [, text = "", major = "0", minor = "0"] = /((\d+)\.(\d+)[\w.]*)/.exec(version) ?? [];
  const [generation, step] = [Number(major), Number(minor)];
  if (text === "" || generation < MIN_VERSION[0] || (generation === MIN_VERSION[0] && step < MIN_VERSION[1]))
    return makeFinding("error", "git", `${text === "" ? "This git" : `git ${text}`} is too old.`, {
      why: "Tazuna uses commands and options that it does not know.",
      remedy,
    });
  if (generation > TRIED_GENERATION)
    return makeFinding("info", "git", `git ${text} is newer than any that Tazuna was tried with.`);
  return makeFinding("ok", "git", `git ${text}.`);
}

function identityFindings(withoutIdentity: GitFacts["withoutIdentity"]): readonly Finding[] {
  if (withoutIdentity === null || withoutIdentity.length === 0) return [];
  return [
    makeFinding("warning", "git_identity", "git does not know who you are.", {
      whose: repositoriesOf(withoutIdentity),
      why: "Commits are made as `Tazuna <tazuna@localhost>`.",
      remedy:
        "Tell it with `git config --global user.name` and `git config --global user.email`, each with yours behind it.",
    }),
  ];
}
