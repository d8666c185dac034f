/** Says why an address was not cloned, or a clone not renewed, and what to do about it. */
import type { RefusedAddress } from "../../domain/repository/clone-address.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import type { RemoteError } from "../../git/process/remote-error.ts";
import type { CloneError } from "../../git/repository/clone.ts";
import type { Uses } from "../core/context-parts.ts";
import { nameOfWorker, ownWorker } from "../core/held-elsewhere.ts";
import { type Refusal, refuse } from "../core/refusal.ts";

export function refusedAddress({ message, remedy }: RefusedAddress): Refusal {
  return refuse("bad_request", "url_refused", message, { remedy });
}

interface Asked {
  /** Without a secret. */
  readonly url: string;
  /** The command that tries again. */
  readonly again: string;
  readonly what: "cloned" | "fetched";
  /** The worker on whose machine that is to be mended; null if it is that of the shell which asked. */
  readonly on: string | null;
}

/** A shell lends its environment to its own engine only. Whoever works without one may be asked from another machine. */
export async function mendedOn(context: Uses<"db" | "owner" | "shell">): Promise<string | null> {
  const own = context.shell === null ? ownWorker(context) : null;
  return own === null ? null : nameOfWorker(context, own);
}

/** Such as `Make room on ci-2`. */
function placed(words: string, { on }: Pick<Asked, "on">): string {
  return on === null ? words : `${words} on ${on}`;
}

export function cloneRefusal(error: CloneError, asked: Asked): Refusal {
  const { url, again, what } = asked;
  const said = error.message.trim();
  const details = { url, git: said };
  switch (error.kind) {
    case "empty_repository":
      return refuse(
        "failed",
        "empty_repository",
        `${url} has no commit yet, or what answers there is no git server.`,
        { remedy: `Push a first commit to it, or correct the address; then \`${again}\`.`, details },
      );
    case "remote_auth":
      return refuse("failed", "clone_auth", `${url} did not let this git in: ${lastLine(said)}`, {
        remedy: howToKnowHost(said, asked) ?? howToLogIn(asked),
        details,
      });
    case "remote_unreachable":
      return unreachable(error, asked);
    case "canceled":
      return refuse("conflict", "clone_stopped", `It was stopped: nothing was ${what}.`, {
        remedy: `\`${again}\` begins anew.`,
        details: { url },
      });
    case "disk_full":
      return noRoom("The disk became full", asked);
    case "git_missing":
      return refuse("failed", "git_missing", "git was not found.", {
        remedy: `${placed("Install git 2.39 or newer", asked)}, so that it is on the PATH, then ask again.`,
      });
    default:
      return isNoRepository(said)
        ? refuse("failed", "clone_not_found", `Nothing serves a git repository at ${url}.`, {
            remedy: correct(again),
            details,
          })
        : refuse("failed", "clone_failed", `${url} was not ${what}: ${lastLine(said)}`, {
            remedy: `${placed("Mend that", asked)}, then \`${again}\`.`,
            details,
          });
  }
}

/** The folder of a clone that was there before holds something else now. */
export function inTheWay(path: string, asked: Asked): Refusal {
  const { url, again, what } = asked;
  const message = `Something lies at ${path} that is no clone: nothing was ${what}.`;
  return refuse("failed", "clone_failed", message, {
    remedy: `${placed("Look at what is in it", asked)}, and move it away; then \`${again}\`.`,
    details: { url, path },
  });
}

export function noRoom(why: string, asked: Asked): Refusal {
  const { url, again, what } = asked;
  return refuse("failed", "clone_no_room", `${why}: nothing was ${what}.`, {
    remedy: `${placed("Make room", asked)} (\`tazuna trash empty --yes\`, \`tazuna clean --yes\`), then \`${again}\`.`,
    details: { url },
  });
}

function unreachable(error: Extract<RemoteError, { kind: "remote_unreachable" }>, asked: Asked): Refusal {
  const { url, again, what } = asked;
  const said = error.message.trim();
  const details = { url, git: said };
  if (error.timedOut)
    return refuse("failed", "clone_unreachable", `${url} took too long: nothing was ${what}.`, {
      remedy: `${placed("A large repository may need longer", asked)}: \`tazuna config set ${what === "cloned" ? "limits.clone_s 7200" : "limits.git_s 600"}\`, then \`${again}\`.`,
      details,
    });
  if (error.why === "not_found" || isNoRepository(said) || /returned error: 404/.test(said))
    return refuse(
      "failed",
      "clone_not_found",
      `There is no repository at ${url}, or it is hidden from you.`,
      {
        remedy: `${correct(again)} ${howToLogIn(asked)}`,
        details,
      },
    );
  return refuse("failed", "clone_unreachable", `${url} could not be read: ${lastLine(said)}`, {
    remedy: `Once ${placed(`\`git ls-remote ${shellWord(url)}\` answers`, asked)}, \`${again}\`.`,
    details,
  });
}

function isNoRepository(said: string): boolean {
  return /not valid: is this a git repository|does not appear to be a git repository/i.test(said);
}

const correct = (again: string) => `Correct the address, then ask again (\`${again}\` was asked).`;

/** A token in the shell of whoever asks does not reach another machine. */
function howToLogIn(asked: Asked): string {
  const { url, again, on } = asked;
  const needed = `If it needs a login${on === null ? "" : `, on ${on}`}`;
  const environment = on === null ? "this shell" : "the environment of its engine (`tazuna worker`)";
  return /^https?:/.test(url)
    ? `${needed}: \`gh auth login\`, \`glab auth login\`, a credential helper of your git, or TAZUNA_GITHUB_TOKEN (TAZUNA_GITLAB_TOKEN, TAZUNA_GITEA_TOKEN) in ${environment}; then \`${again}\`.`
    : `${needed}: see that \`ssh-add -l\` lists a key which the host knows, and that your ssh knows the host; then \`${again}\`.`;
}

/** Null if ssh did not refuse the key of the host. In a terminal it asks a person. */
function howToKnowHost(said: string, asked: Asked): string | null {
  const { url, again } = asked;
  if (!said.includes("Host key verification failed")) return null;
  const inTerminal = `\`git ls-remote ${shellWord(url)}\` in a terminal shows its key, and asks you`;
  const [, changed] = /Host key for (\S+) has changed/.exec(said) ?? [];
  return changed === undefined
    ? `${placed("Let your ssh know the host", asked)}: ${inTerminal}; then \`${again}\`.`
    : `The host shows another key than before, so somebody may stand between. Ask its owner. If the new key is right, ${placed(`\`ssh-keygen -R ${shellWord(changed)}\` forgets the old one`, asked)}, and ${inTerminal}; then \`${again}\`.`;
}

/** The last line in which git or ssh names a cause. */
function lastLine(said: string): string {
  const lines = said.split(/[\r\n]+/).filter((line) => line !== "" && !OF_ANY_CAUSE.test(line));
  const named = lines.findLast((line) => /^(?:fatal|error|remote):/.test(line)) ?? lines.at(-1) ?? said;
  return named.replace(/^(?:fatal|error): /, "");
}

/** What git says whatever the cause was. */
const OF_ANY_CAUSE = /^(?:Please make sure|and the repository|fatal: Could not read from remote repository)/;
