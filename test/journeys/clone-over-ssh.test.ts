/** Clones over a real ssh from a host whose key is unknown, is another one, or is known: nobody is asked, and each says what to do. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PATIENCE_MS, refused } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { NO_SSHD, sshServer } from "../helpers/ssh-server.ts";

setDefaultTimeout(PATIENCE_MS);

const NOTE = NO_SSHD === null ? "" : ` (skipped: ${NO_SSHD})`;

test.skipIf(NO_SSHD !== null)(
  `a host that ssh does not know, or not with this key, is not cloned from, and no key is taken on trust${NOTE}`,
  async () => {
    await using product = await startProduct();
    await using server = await sshServer();
    const hosts = join(dirname(product.home), "known hosts");
    const url = `ssh://git@127.0.0.1:${server.port}/us/garden.git`;
    const ssh = `ssh -F /dev/null -oIdentityFile=/dev/null -oIdentityAgent=none -oUserKnownHostsFile="'${hosts}'" -oGlobalKnownHostsFile=/dev/null`;
    const add = async (known: string) => {
      await writeFile(hosts, known);
      const { code, error } = await refused(product, ["repo", "add", url], { env: { GIT_SSH_COMMAND: ssh } });
      expect([code, error.code, await readFile(hosts, "utf8")]).toEqual([1, "clone_auth", known]);
      expect(error.remedy).toContain(`then \`tazuna repo add ${url}\`.`);
      return error;
    };
    const unknown = await add("");
    expect(unknown.message).toBe(`${url} did not let this git in: Host key verification failed.`);
    expect(unknown.remedy).toContain(`\`git ls-remote ${url}\` in a terminal shows its key`);
    const changed = await add(await server.known("wrong"));
    expect(changed.message).toBe(unknown.message);
    expect(changed.remedy).toContain("somebody may stand between");
    expect(changed.remedy).toContain(`\`ssh-keygen -R '[127.0.0.1]:${server.port}'\``);
    // The host is the right one, and does not know this key.
    const stranger = await add(await server.known("right"));
    expect(stranger.message).toContain("Permission denied (");
    expect(stranger.remedy).toContain("ssh-add -l");
    expect(await readdir(join(product.home, "workspaces"))).toEqual([]);
  },
);
