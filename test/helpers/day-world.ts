/** Prepares a day's work: a forge, checks, and two real agents of which each has a scripted model of its own. */
import { type AgentHome, agentHome } from "./agent-home.ts";
import type { Scenario, Turn } from "./fake-model/script.ts";
import { startFakeModel } from "./fake-model/start-fake-model.ts";
import { type ForgeWorld, onForge, TOKEN } from "./forge-world.ts";
import type { Product } from "./product.ts";
import { startRealProduct } from "./real-product.ts";

/** Of the right shape, and nobody's. */
const KEY = `ghp_${"x7Kq2LmZ9vRt4WcB8nYs1DfG6hJp3QaEoUiT"}`;

const write = (path: string, content: string): Turn => ({ tools: [{ op: "write", path, content }] });
const read = (path: string): Turn => ({ tools: [{ op: "read", path }] });
/** Claude Code writes over a file only after it has read that. */
const rewrite = (path: string, content: string) => [read(path), write(path, content)];
const on = (when: RegExp, ...turns: readonly Turn[]): Scenario => ({ when, turns });

const GREET = (word: string) => `export const greet = (name: string) => \`${word}, \${name}!\`;\n`;
const README = (words: string) => `# Project\n\n${words}\n`;

/** What a message says later goes before what the task said first. */
const BOTH: readonly Scenario[] = [
  on(/Merge in progress|Resolve the conflicts/i, ...rewrite("README.md", README("It greets and counts.")), {
    text: "I kept both sentences.",
  }),
];

const CLAUDE: readonly Scenario[] = [
  ...BOTH,
  on(/good day/i, ...rewrite("greet.ts", GREET("Good day")), { text: "It says good day now." }),
  on(/credential/i, ...rewrite("config.ts", "export const key = process.env.KEY;\n"), {
    text: "The key comes from the environment now.",
  }),
  on(
    /Greet people/,
    { tools: [{ op: "shell", command: "curl -s http://localhost:1/names" }] },
    write("greet.ts", GREET("Hello")),
    ...rewrite("README.md", README("It greets people.")),
    { text: "People are greeted by name." },
  ),
  on(/Read the key/, write("config.ts", `export const key = "${KEY}";\n`), { text: "The key is read." }),
  on(
    /Count to three/,
    write("count.txt", "one\ntwo\nthree\n"),
    ...rewrite("README.md", README("It counts.")),
    {
      text: "It counts to three.",
    },
  ),
];

const CODEX: readonly Scenario[] = [
  ...BOTH,
  on(/expected three/, write("count.txt", "eins\nzwei\nthree\n"), { text: "Three is there." }),
  on(/Greet people/, write("greet.ts", GREET("Hi")), { text: "It greets." }),
  on(/Read the key/, write("config.ts", "export const key = process.env.APP_KEY;\n"), {
    text: "The key is read from the environment.",
  }),
  on(/Count to three/, write("count.txt", "eins\nzwei\n"), { text: "It counts." }),
];

export interface DayWorld extends AsyncDisposable {
  readonly product: Product;
  readonly forge: ForgeWorld;
}

/** Claude Code asks for leave; Codex does what it likes. One check fails until a file holds its last word. */
export async function dayWorld(): Promise<DayWorld> {
  await using stack = new AsyncDisposableStack();
  const other = stack.use(await startFakeModel({ script: { scenarios: CODEX } }));
  const codex: AgentHome = stack.use(await agentHome("codex", { url: other.url }));
  const real = stack.use(
    await startRealProduct({
      script: { scenarios: CLAUDE },
      isolation: "guard",
      env: { TAZUNA_GITHUB_TOKEN: TOKEN },
    }),
  );
  const { product } = real;
  const profiles = real.profiles((id) => (id === "codex" ? codex.profile : { approvals: null }));
  const { "claude-code": claudeCode, codex: codexProfile } = profiles;
  await product.configure({
    isolation: "guard",
    agents: { "claude-code": claudeCode, codex: codexProfile },
    checks: [
      {
        name: "unit",
        run: "test ! -e count.txt || grep -q three count.txt || { echo expected three; exit 3; }",
        required: true,
      },
    ],
  });
  await product.sandbox.commitTo(product.origin, "main", { "README.md": README("It does nothing.") });
  await product.sandbox.git(product.repository, ["pull", "-q", "origin", "main"]);
  const forge = stack.use(await onForge(product));
  const owned = stack.move();
  return { product, forge, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
