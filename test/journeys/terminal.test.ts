/** Opens terminals in a worktree, as the page does: who may, what the shell may, and that nothing of it is left. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient } from "../../src/contract/client/client.ts";
import { TERMINAL_MARKER } from "../../src/keeper/terminal/messages.ts";
import { listMarked } from "../../src/utils/programs/process-identity.ts";
import { http } from "../helpers/http.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { POSIX } from "../helpers/need.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { sandboxHere } from "../helpers/sandbox.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const SIZE = { columns: 80, rows: 24 };
/** The prompt, and the echo of what was typed, hold no such word. */
const MARK = "echo 'en''d'";

interface Page {
  readonly url: string;
  readonly cookie: string;
  readonly api: Client;
}

/** A browser that signed in by the server's own link. */
async function signedIn(product: Product): Promise<Page> {
  const { body } = await http<{ url: string }>(product, "POST /links");
  const entered = await fetch(body.url, { redirect: "manual" });
  const cookie = (entered.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const url = new URL(body.url).origin;
  const api = createClient({
    url,
    token: null,
    fetch: (address, init) =>
      fetch(address, {
        ...init,
        headers: { ...(init.headers as Record<string, string>), cookie, origin: url },
      }),
  });
  return { url, cookie, api };
}

/** A terminal whose text is collected. */
async function openTerminal({ api }: Page, attempt: string) {
  const { id } = (await api.openTerminal(attempt, SIZE))._unsafeUnwrap();
  const leave = new AbortController();
  const decoder = new TextDecoder();
  let text = "";
  const end = api.followTerminal(id, {
    signal: leave.signal,
    onOutput: (bytes) => {
      text += decoder.decode(bytes, { stream: true });
      return undefined;
    },
  });
  const type = async (data: string) => (await api.typeInTerminal(id, { data }))._unsafeUnwrap();
  return {
    id,
    end,
    type,
    leave: () => leave.abort(),
    /** What a command printed. */
    run: async (command: string): Promise<string> => {
      const from = text.length;
      await type(`${command}; ${MARK}\r`);
      await waitFor(command, () => /^end\r?$/m.test(text.slice(from)), { instead: () => text.slice(from) });
      return text.slice(from);
    },
    shows: (words: string) =>
      waitFor(words, () => text.includes(words), { instead: () => text.slice(-2000) }),
  };
}

const alive = async (id: string) =>
  (await listMarked(TERMINAL_MARKER)).filter(({ value }) => value === id).length;
const nothingOf = (product: Product, id: string) =>
  waitFor("the terminal to be gone", async () => {
    const folder = join(product.home, "terminals");
    return (await alive(id)) === 0 && (!existsSync(folder) || readdirSync(folder).length === 0);
  });

async function withAttempt(options: Parameters<typeof startProduct>[0] = {}) {
  const product = await startProduct(options);
  await product.agent("doer", "echo one > one.txt; echo Done.");
  const { attempt } = await ask(product, ["run", "Change it", "--agent", "doer"]);
  return { product, attempt, page: await signedIn(product) };
}

for (const held of ["guard", "sandbox"] as const)
  test.skipIf(POSIX.missing || (held === "sandbox" && !sandboxHere.available))(
    deep(`a person's shell works in the worktree under the ${held}, git reads, and nothing is left of it`),
    async () => {
      const { product, attempt, page } = await withAttempt({ isolation: held });
      await using _ = product;
      const terminal = await openTerminal(page, attempt.id);
      const begin = await terminal.run("pwd -P");
      expect(begin.replace(/[\r\n]/g, "")).toContain(attempt.worktree);
      expect(begin).not.toContain("job control");
      await page.api.resizeTerminal(terminal.id, { columns: 132, rows: 43 });
      expect(await terminal.run("stty size")).toContain("43 132");
      expect(await terminal.run("git log --oneline -1 | cat")).toContain("Change it");
      const refused = await terminal.run("git commit --allow-empty -m mine");
      expect(refused).toContain("Tazuna alone writes git in this repository");
      expect(refused).toContain('"Commit my edits"');
      expect(await terminal.run("git push")).toContain('"Ship"');
      expect(await terminal.run("env | grep -c -E 'TAZUNA_(GITHUB|MCP)_?TOKEN|HISTFILE'")).toContain("0");
      // The terminal knows its jobs, and Ctrl+C reaches them.
      await terminal.type("sh -c \"echo 'beg''un'; exec sleep 1000\"\r");
      await terminal.shows("begun");
      await terminal.type("\u0003");
      await terminal.run("echo by hand > hand.txt");
      const { body } = await http<{ own_edits: unknown }>(
        product,
        `GET /attempts/${attempt.id}/situation?look=true`,
      );
      expect(body.own_edits).toEqual([{ path: "hand.txt", status: "added" }]);
      await terminal.run("nohup setsid sleep 1000 >/dev/null 2>&1 & sleep 1000 & true");
      expect(await alive(terminal.id)).toBeGreaterThan(2);
      await page.api.closeTerminal(terminal.id);
      await nothingOf(product, terminal.id);
      expect((await terminal.end).reason).not.toBe("aborted");
      expect((await page.api.typeInTerminal(terminal.id, { data: "x" }))._unsafeUnwrapErr().code).toBe(
        "no_such_terminal",
      );
      // Neither a fact nor an operation tells of it.
      const told = JSON.stringify([
        (await http(product, "GET /operations")).body,
        await Bun.file(join(product.home, "server.log"))
          .text()
          .catch(() => ""),
      ]);
      expect(told).not.toContain("by hand");
    },
  );

test.skipIf(POSIX.missing)(
  deep("only who is signed in opens a terminal, from its own page, on this machine, and four of them"),
  async () => {
    const { product, attempt, page } = await withAttempt();
    await using _ = product;
    const post = async (headers: Record<string, string>) => {
      const answer = await fetch(`${page.url}/api/v1/attempts/${attempt.id}/terminal`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(SIZE),
      });
      return `${answer.status} ${((await answer.json()) as { code?: string }).code ?? ""}`;
    };
    const { cookie, url, api } = page;
    expect(await post({})).toBe("401 token_required");
    expect(await post({ cookie })).toBe("403 origin_missing");
    expect(await post({ cookie, origin: "http://evil.example" })).toBe("403 origin_not_allowed");
    expect(await post({ cookie, origin: url, authorization: "Bearer wrong" })).toBe("401 token_required");
    const first = await openTerminal(page, attempt.id);
    const bare = await fetch(`${url}/api/v1/terminals/${first.id}/output`);
    expect(bare.status).toBe(401);
    const foreign = await fetch(`${url}/api/v1/terminals/${first.id}/input`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie, origin: "http://evil.example" },
      body: JSON.stringify({ data: "touch stolen\r" }),
    });
    expect(foreign.status).toBe(403);
    const tooWide = await api.openTerminal(attempt.id, { columns: 100_000, rows: 1 });
    expect(tooWide._unsafeUnwrapErr().code).toBe("bad_request");
    const more = await Promise.all([2, 3, 4, 5, 6].map(() => api.openTerminal(attempt.id, SIZE)));
    expect(more.map((each) => (each.isOk() ? "open" : each.error.code)).sort()).toEqual([
      ...["open", "open", "open", "too_many_terminals", "too_many_terminals"],
    ]);
    await product.configure({ terminal: "never" });
    const off = (await api.openTerminal(attempt.id, SIZE))._unsafeUnwrapErr();
    expect([off.code, off.remedy]).toEqual([
      "terminal_off",
      expect.stringContaining("config set terminal here"),
    ]);
    const setting = await api.changeSetting({ key: "terminal", value: "anywhere" });
    expect(setting._unsafeUnwrapErr().code).toBe("terminal_only");
  },
);

test.skipIf(POSIX.missing)(
  deep("a terminal ends with its shell, its page, its attempt and its engine"),
  async () => {
    const { product, attempt, page } = await withAttempt({ timing: { terminalMs: 1_000 } });
    await using _ = product;
    const own = await openTerminal(page, attempt.id);
    await own.run("true");
    await own.type("exit 3\r");
    expect((await own.end).reason).toBe("ended");
    await nothingOf(product, own.id);

    // The page is gone.
    const left = await openTerminal(page, attempt.id);
    await left.run("true");
    left.leave();
    await nothingOf(product, left.id);

    // Nobody ever read it: who asks for the head of its output does not.
    const { id } = (await page.api.openTerminal(attempt.id, SIZE))._unsafeUnwrap();
    const output = `${page.url}/api/v1/terminals/${id}/output`;
    expect((await fetch(output, { method: "HEAD", headers: { cookie: page.cookie } })).status).toBe(200);
    await nothingOf(product, id);

    // Another reader has it alone.
    const taken = await openTerminal(page, attempt.id);
    await taken.run("true");
    const leaving = new AbortController();
    const other = page.api.followTerminal(taken.id, { signal: leaving.signal, onOutput: () => undefined });
    expect(await taken.end).toMatchObject({ reason: "lost", error: { code: "no_such_terminal" } });
    leaving.abort();
    expect((await other).reason).toBe("aborted");
    await nothingOf(product, taken.id);

    const killed = await openTerminal(page, attempt.id);
    await killed.run("trap '' HUP TERM; nohup setsid sleep 1000 >/dev/null 2>&1 & true");
    await product.killEngine();
    await waitFor("the terminal to end with its engine", async () => (await alive(killed.id)) === 0);
    killed.leave();

    await product.tazuna(["list"]);
    const again = await signedIn(product);
    const last = await openTerminal(again, attempt.id);
    await last.run("true");
    await product.tazuna(["cancel", attempt.id]);
    await waitFor("the terminal to end with its attempt", async () => (await alive(last.id)) === 0);
    await waitFor("the worktree to be gone", () => !existsSync(attempt.worktree));
    expect((await again.api.openTerminal(attempt.id, SIZE))._unsafeUnwrapErr().code).toBe("attempt_removed");
  },
);

for (const held of ["guard", "sandbox"] as const)
  test.skipIf(POSIX.missing || (held === "sandbox" && !sandboxHere.available))(
    deep(
      `what a terminal under the ${held} leaves if its host and the engine are killed at once is ended later`,
    ),
    async () => {
      const { product, attempt, page } = await withAttempt({ isolation: held });
      await using _ = product;
      const mine = await openTerminal(page, attempt.id);
      await mine.run("trap '' HUP TERM; nohup setsid sleep 1000 >/dev/null 2>&1 & true");
      const other = await openTerminal(page, attempt.id);
      await other.run("true");
      const hosts = await hostsOf([mine.id, other.id]);
      expect(hosts.length).toBe(2);
      // A host that stands still cannot end anything when its engine goes.
      for (const pid of hosts) process.kill(pid, "SIGSTOP");
      await product.killEngine();
      for (const pid of hosts) process.kill(pid, "SIGKILL");
      for (const { leave } of [mine, other]) leave();
      if (held === "guard") expect(await alive(mine.id)).toBeGreaterThan(0);
      expect(readdirSync(join(product.home, "terminals")).sort()).toEqual([mine.id, other.id].sort());

      await product.tazuna(["list"]);
      for (const { id } of [mine, other]) await nothingOf(product, id);
      const again = await openTerminal(await signedIn(product), attempt.id);
      expect(await again.run("echo 'it wor''ks'")).toContain("it works");
      again.leave();
    },
  );

async function hostsOf(ids: readonly string[]): Promise<readonly number[]> {
  const marked = (await listMarked(TERMINAL_MARKER)).filter(({ value }) => ids.includes(value));
  const commands = await Promise.all(
    marked.map(async ({ pid }) => ({ pid, command: await Bun.file(`/proc/${pid}/cmdline`).text() })),
  );
  return commands.flatMap(({ pid, command }) => (command.includes("\0__terminal\0") ? [pid] : []));
}
