/** Starts a real identity provider, and walks through its pages as a person would. */
import { program } from "./programs.ts";

export interface TestProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  readonly secret: string;
  /** Follows an entry as somebody, and answers with the address to which the provider sends them back. */
  enter(url: string, who: string | null): Promise<string>;
  stop(): Promise<void>;
}

/** By the name that is typed: what the provider says of that person. */
export type People = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** `forges`: its ID tokens have a signature that is none. `host`: the name of this machine in its address. */
export async function identityProvider(
  people: People,
  { forges = false, host = "127.0.0.1" }: { readonly forges?: boolean; readonly host?: string } = {},
): Promise<TestProvider> {
  const started = Bun.spawn([process.execPath, program("identity-provider.ts")], {
    env: { PEOPLE: JSON.stringify(people), FORGES: forges ? "1" : "", HOST_NAME: host },
    stdout: "pipe",
    stderr: "ignore",
  });
  const issuer = await firstLine(started.stdout);
  const stop = async () => {
    started.kill("SIGKILL");
    await started.exited;
  };
  return {
    issuer,
    clientId: "tazuna",
    secret: "secret-of-the-client",
    enter: (url, who) => walk(issuer, url, who),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of stream) {
    text += new TextDecoder().decode(chunk);
    const end = text.indexOf("\n");
    if (end >= 0) return text.slice(0, end);
  }
  throw new Error(`the provider did not start: ${text}`);
}

const MOST_STEPS = 15;

/** `who`: null presses Cancel. */
async function walk(issuer: string, from: string, who: string | null): Promise<string> {
  const jar = new Map<string, string>();
  let url = from;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const isForm = url.startsWith(`${issuer}/who/`);
    const page = isForm ? await (await fetch(url, { headers: { cookie }, redirect: "manual" })).text() : "";
    const post = page.includes("<form")
      ? { method: "POST", body: new URLSearchParams(who === null ? { no: "1" } : { who }) }
      : {};
    const response = await fetch(url, { headers: { cookie }, redirect: "manual", ...post });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    const next = response.headers.get("location");
    if (next === null) throw new Error(`the provider stops at ${url}: ${response.status}`);
    url = new URL(next, url).href;
    if (!url.startsWith(issuer)) return url;
  }
  throw new Error(`the provider leads in a circle at ${url}`);
}
