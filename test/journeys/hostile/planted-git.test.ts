/** Tells that Tazuna's git never runs or follows what an agent plants in git's folders or its worktree. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ask, ending, PATIENCE_MS, type TaskEnd } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { everySecond } from "../../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

let product: Product;
/** What a payload would leave behind. */
let loot: string;

beforeAll(async () => {
  product = await startProduct({ isolation: "guard" });
  loot = join(dirname(product.home), "loot");
  await mkdir(loot);
});
afterAll(() => product?.[Symbol.asyncDispose]());

/** How a vector may end: published as if nothing had been planted, or refused by this code, the place named. */
type Ending =
  | "pushed"
  /** `from`: the number of the first run that would heed it; the first one unless told. */
  | { readonly failure: string; readonly at: string; readonly from?: number };

interface Vector {
  readonly name: string;
  /**
   * Shell text. `$common` is the shared git directory, `$own` the worktree's. `$pay` is a program that leaves its
   * mark, `$thief` a repository of the agent's.
   */
  readonly plant: string;
  readonly ends: Ending;
}

const setting = (key: string, value: string) => `${GIT} config --file "$common/config" ${key} ${value}`;
/** The real git: the one in front of PATH is the guard's. */
const GIT = '"$real"';

const VECTORS: readonly Vector[] = [
  {
    name: "a clean and smudge filter",
    plant: `${setting("filter.evil.clean", '"$pay"')}; ${setting("filter.evil.smudge", '"$pay"')}; echo '* filter=evil' > .gitattributes`,
    ends: { failure: "commit_failed", at: "filter.evil.clean" },
  },
  {
    name: "a filter process by info/attributes",
    plant: `${setting("filter.evil.process", '"$pay"')}; mkdir -p "$common/info"; echo '* filter=evil' > "$common/info/attributes"`,
    ends: { failure: "commit_failed", at: "filter.evil.process" },
  },
  {
    name: "a filter in the worktree's own configuration",
    plant: `${setting("extensions.worktreeConfig", "true")}; ${GIT} config --file "$own/config.worktree" filter.evil.clean "$pay"; echo '* filter=evil' > .gitattributes`,
    ends: { failure: "commit_failed", at: "filter.evil.clean" },
  },
  {
    name: "an included file",
    plant: `${GIT} config --file "$HOME/included" filter.evil.clean "$pay"; ${setting("include.path", '"$HOME/included"')}; echo '* filter=evil' > .gitattributes`,
    ends: { failure: "commit_failed", at: "include.path" },
  },
  {
    name: "another value for Git LFS",
    plant: `${setting("filter.lfs.clean", '"$pay"')}; echo '*.bin filter=lfs' > .gitattributes; echo x > a.bin`,
    ends: { failure: "commit_failed", at: "filter.lfs.clean" },
  },
  {
    name: "a merge driver",
    plant: `${setting("merge.evil.driver", '"$pay"')}; echo '* merge=evil' > .gitattributes`,
    ends: { failure: "commit_failed", at: "merge.evil.driver", from: 2 },
  },
  {
    name: "a textconv and a diff command",
    plant: `${setting("diff.evil.textconv", '"$pay"')}; ${setting("diff.evil.command", '"$pay"')}; ${setting("diff.external", '"$pay"')}; echo '* diff=evil' > .gitattributes`,
    ends: "pushed",
  },
  {
    name: "a file system monitor, an editor and a pager",
    plant: `${setting("core.fsmonitor", '"$pay"')}; ${setting("core.editor", '"$pay"')}; ${setting("core.pager", '"$pay"')}; ${setting("core.alternateRefsCommand", '"$pay"')}`,
    ends: "pushed",
  },
  {
    name: "every hook of the repository",
    plant: `mkdir -p "$common/hooks"; for hook in pre-commit post-checkout reference-transaction pre-push post-index-change post-commit commit-msg prepare-commit-msg post-merge pre-auto-gc; do cp "$pay" "$common/hooks/$hook"; done`,
    ends: "pushed",
  },
  {
    name: "hooks elsewhere",
    plant: `mkdir -p "$HOME/evil-hooks"; for hook in pre-commit post-checkout reference-transaction pre-push post-index-change; do cp "$pay" "$HOME/evil-hooks/$hook"; done; ${setting("core.hooksPath", '"$HOME/evil-hooks"')}`,
    ends: "pushed",
  },
  {
    name: "an ssh command and a helper for credentials",
    plant: `${setting("core.sshCommand", '"$pay"')}; ${setting("credential.helper", '"!$pay"')}`,
    ends: { failure: "setup_failed", at: "credential.helper" },
  },
  {
    name: "another address to push to",
    plant: setting("remote.origin.pushurl", '"$thief"'),
    ends: { failure: "setup_failed", at: "remote.origin.pushurl" },
  },
  {
    name: "an address that is rewritten",
    plant: setting('"url.$thief.insteadOf"', '"$(dirname "$thief")/origin"'),
    ends: { failure: "setup_failed", at: "insteadof" },
  },
  {
    name: "an address that is a program",
    plant: `${setting("remote.origin.url", '"ext::$pay"')}; ${setting("protocol.ext.allow", "always")}; ${setting("remote.origin.vcs", "ext")}`,
    ends: { failure: "setup_failed", at: "remote.origin.url" },
  },
  {
    name: "programs of the other side",
    plant: `${setting("remote.origin.uploadpack", '"$pay"')}; ${setting("remote.origin.receivepack", '"$pay"')}; ${setting("uploadpack.packObjectsHook", '"$pay"')}`,
    ends: "pushed",
  },
  {
    name: "where a branch is pushed to",
    plant: setting("remote.origin.push", "'+refs/heads/*:refs/heads/main'"),
    ends: { failure: "setup_failed", at: "remote.origin.push" },
  },
  {
    name: "a program that signs",
    plant: `${setting("commit.gpgSign", "true")}; ${setting("gpg.program", '"$pay"')}; ${setting("user.signingKey", "evil")}`,
    ends: { failure: "commit_failed", at: "commit.gpgsign" },
  },
  {
    name: "somebody else's name",
    plant: `${setting("user.name", "Mallory")}; ${setting("user.email", "mallory@example.com")}`,
    ends: { failure: "commit_failed", at: "user.name" },
  },
  {
    name: "objects of another repository",
    plant: `mkdir -p "$common/objects/info"; echo "$thief/objects" > "$common/objects/info/alternates"`,
    ends: { failure: "commit_failed", at: "objects/info/alternates" },
  },
  {
    name: "a replaced commit and a graft",
    plant: `head=$(${GIT} rev-parse HEAD); tree=$(${GIT} mktree < /dev/null)
      other=$(${GIT} -c user.name=x -c user.email=x@x commit-tree -m other "$tree"); ${GIT} replace -f "$head" "$other"; echo "$head" > "$common/info/grafts"`,
    ends: "pushed",
  },
  {
    name: "another `.git` file",
    plant: `${GIT} init --quiet "$HOME/elsewhere-$$"; ${GIT} config --file "$HOME/elsewhere-$$/.git/config" core.fsmonitor "$pay"; echo "gitdir: $HOME/elsewhere-$$/.git" > .git`,
    ends: "pushed",
  },
  {
    name: "another common directory",
    plant: `${GIT} init --quiet "$HOME/elsewhere-$$"; ${GIT} config --file "$HOME/elsewhere-$$/.git/config" filter.evil.clean "$pay"; echo '* filter=evil' > .gitattributes; echo "$HOME/elsewhere-$$/.git" > "$own/commondir"; echo "$HOME/elsewhere-$$/.git" > "$own/gitdir"`,
    ends: "pushed",
  },
  {
    name: "no common directory at all",
    plant: `rm "$own/commondir"; cp -r "$common/objects" "$common/refs" "$own/"; ${GIT} config --file "$own/config" filter.evil.clean "$pay"; echo '* filter=evil' > .gitattributes`,
    ends: "pushed",
  },
  {
    name: "an index that is a link",
    plant: `mv "$own/index" "$HOME/index-$$"; ln -s "$HOME/index-$$" "$own/index"`,
    ends: "pushed",
  },
  {
    name: "a worktree that is a link to the user's checkout",
    plant: `here=$PWD; cd /; mv "$here" "$here.moved"; ln -s "$(dirname "$common")" "$here"`,
    ends: { failure: "worktree_lost", at: "run_" },
  },
];

/** Both sides change it, at its two ends: they merge. */
const SHARED = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join("");

describe("what an agent plants for git", () => {
  for (const [index, vector] of VECTORS.entries())
    test(
      everySecond(`${vector.name}: nothing runs, nothing leaves, over the whole life of an attempt`, index),
      () => liveThrough(vector, `v${index}`),
    );
});

async function liveThrough(vector: Vector, id: string): Promise<void> {
  const scene = await plantedScene(vector, id);
  const untouched = await filesOf(scene.thief);
  const first = await ask(product, ["run", `Be ${id}`, "--agent", id], { cwd: scene.repository });
  check(vector, first);
  const { branch } = first.attempt;
  const atOrigin = await product.sandbox.git(scene.origin, ["branch", "--list", branch]);
  if (atOrigin !== "")
    await product.sandbox.commitTo(scene.origin, branch, { "shared.txt": `${SHARED}theirs\n` });
  check(vector, await ask(product, ["continue", first.attempt.id, "More"], { cwd: scene.repository }));
  await ask(product, ["run", "Once more", "--agent", id], { cwd: scene.repository });
  // A worktree that leads elsewhere is not put into the trash before a person has looked at it. A cancel
  // would wait.
  const isLost = vector.ends !== "pushed" && vector.ends.failure === "worktree_lost";
  if (!isLost) await product.tazuna(["cancel", first.document.task.id], { cwd: scene.repository });
  expect((await readdir(loot)).filter((name) => name === id)).toEqual([]);
  expect(await filesOf(scene.thief)).toBe(untouched);
  expect(await product.sandbox.git(scene.origin, ["rev-list", "--count", "main"])).toBe("2");
}

/** A repository and an origin of this vector's own, and the agent that plants it. */
async function plantedScene(vector: Vector, id: string) {
  const root = join(dirname(product.home), id);
  const [origin, repository, thief, pay] = ["origin", "mine", "thief", "pay"].map((name) =>
    join(root, name),
  ) as [string, string, string, string];
  const { git } = product.sandbox;
  await mkdir(root);
  await git(root, ["clone", "--quiet", "--bare", product.origin, origin]);
  await product.sandbox.commitTo(origin, "main", { "shared.txt": SHARED });
  await git(root, ["clone", "--quiet", origin, repository]);
  await git(root, ["init", "--quiet", "--bare", thief]);
  await Bun.write(pay, `#!/bin/sh\ntouch '${loot}/${id}'\ncat\n`);
  await Bun.$`chmod +x ${pay}`.quiet();
  const real = Bun.which("git") ?? "git";
  await product.agent(
    id,
    `real='${real}' pay='${pay}' thief='${thief}'
     own=$("$real" rev-parse --path-format=absolute --git-dir); common='${repository}/.git'; own="$common/worktrees/$(basename "$own")"
     echo "$$" > work.txt; sed -i '1s/.*/ours/' shared.txt
     [ -e '${root}/planted' ] || { touch '${root}/planted'; ${vector.plant}; }`,
  );
  return { origin, repository, thief };
}

function check({ ends }: Vector, { run }: TaskEnd): void {
  if (ends === "pushed" || run.number < (ends.from ?? 1)) {
    expect<unknown>(ending(run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
    return;
  }
  // A later run asks the remote first, and is refused there where the setting is not the worktree's alone.
  const codes = run.number === 1 ? [ends.failure] : [ends.failure, "fetch_failed", "setup_failed"];
  expect(codes).toContain(run.failure?.code ?? run.status);
  expect(`${JSON.stringify(run.failure?.details.at)}`).toContain(ends.at);
}

function filesOf(repository: string): Promise<string> {
  expect(existsSync(repository)).toBe(true);
  return Bun.$`find ${repository} -type f | sort`.quiet().text();
}
