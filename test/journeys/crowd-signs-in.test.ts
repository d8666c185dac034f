/** Begins more sign-ins than people do, over real HTTP through a trusted proxy: they neither fill a table nor keep others out. */
import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { request } from "node:http";
import { join } from "node:path";
import { flagsOf } from "../helpers/enter-as.ts";
import { identityProvider } from "../helpers/identity-provider.ts";
import { PATIENCE_MS } from "../helpers/journey.ts";
import { LINUX } from "../helpers/need.ts";
import { startProduct } from "../helpers/product.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

/** To Tazuna these are other machines, though packets to them stay on this one. */
const [SERVER, PROXY] = ["127.0.0.2", "127.0.0.9"];

interface Begun {
  readonly status: number;
  readonly wait: string | undefined;
  readonly text: string;
}

/** What the proxy hands on for a client, which may have made up what stands before its own address. */
function begin(port: number, forwarded: string): Promise<Begun> {
  const headers = { host: "tazuna.test", "x-forwarded-proto": "https", "x-forwarded-for": forwarded };
  return new Promise((resolve, reject) => {
    const asked = request(
      { hostname: SERVER, port, localAddress: PROXY, path: "/sign-in/oidc?to=/", headers },
      (answer) => {
        let text = "";
        answer.on("data", (chunk) => {
          text += String(chunk);
        });
        answer.on("end", () =>
          resolve({ status: answer.statusCode ?? 0, wait: answer.headers["retry-after"], text }),
        );
      },
    );
    asked.on("error", reject);
    asked.end();
  });
}

function freePort(): number {
  const listening = Bun.listen({ hostname: SERVER, port: 0, socket: { data: () => undefined } });
  listening.stop(true);
  return listening.port;
}

test.skipIf(LINUX.missing)(
  `who begins sign-ins without end is told to wait, and others sign in${LINUX.why}`,
  async () => {
    await using provider = await identityProvider({ ann: { email: "ann@x.example", email_verified: true } });
    await using product = await startProduct({ timing: { trashKeepMs: 500 } });
    const port = freePort();
    const server = product.start([
      ...["serve", "--json", "--host", SERVER, "--port", String(port), "--trust-proxy", `${PROXY}/32`],
      ...["--public-url", "https://tazuna.test", ...(await flagsOf(product, provider))],
    ]);
    await waitFor("the server to listen", () => server.printed().includes("\n"));
    using rows = new Database(join(product.home, "tazuna.db"), { readwrite: true });
    rows.run("pragma busy_timeout = 5000");
    const stored = () =>
      (rows.query("select count(*) as count from sign_in_flows").get() as { count: number }).count;

    const answers: Begun[] = [];
    for (let i = 0; i < 130; i += 1) answers.push(await begin(port, `198.51.100.${i}, 203.0.113.7`));
    const passed = answers.filter(({ status }) => status === 303).length;
    expect(passed).toBe(120);
    const refused = answers.find(({ status }) => status !== 303);
    expect([refused?.status, Number(refused?.wait) > 0, Number(refused?.wait) <= 60]).toEqual([
      429,
      true,
      true,
    ]);
    expect(refused?.text).toContain("Too many people sign in at this moment.");
    expect(stored()).toBe(passed);
    expect((await begin(port, "203.0.113.8")).status).toBe(303);

    // What has expired goes by itself, also if nobody signs in any more.
    rows.run("update sign_in_flows set expires_at = '2026-01-01T00:00:00.000Z'");
    await waitFor("the old rows to go", () => stored() === 0);
    server.kill("SIGTERM");
    expect((await server.end).code).toBe(0);
  },
);
