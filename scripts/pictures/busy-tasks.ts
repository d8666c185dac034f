/** The tasks of the busy world, the files they change, and the little program that plays their agents. */

export interface BusyTask {
  readonly title: string;
  readonly issue: string;
  readonly agents: readonly string[];
  /** `detached` for what does not end by itself. */
  readonly waits: "ended" | "detached";
  readonly args?: readonly string[];
}

/** The agent reads the first word of the issue to know what it is to do. */
export const TASKS: readonly BusyTask[] = [
  {
    title: "Keyboard shortcuts in tables",
    issue: "write: Let the arrow keys walk through a table.",
    agents: ["claude"],
    waits: "ended",
  },
  {
    title: "Try Redis for sessions",
    issue: "write: Keep sessions in Redis.",
    agents: ["gemini"],
    waits: "ended",
  },
  {
    title: "Round prices the way the tax office does",
    issue: "write: Prices are rounded half up; the tax office rounds half to even.",
    agents: ["codex"],
    waits: "ended",
  },
  {
    title: "Resume a CSV import after a crash",
    issue: "import: An import that dies starts again from the first row. Let it go on from where it was.",
    agents: ["claude", "codex", "gemini"],
    waits: "ended",
  },
  {
    title: "Explain failed payments in plain words",
    issue: "write: Customers see error codes of the bank. Say what happened and what they can do.",
    agents: ["codex"],
    waits: "ended",
  },
  {
    title: "Show low stock on the home page",
    issue: "nothing: Show what is nearly sold out on the home page.",
    agents: ["gemini"],
    waits: "ended",
  },
  {
    title: "One address form for every country",
    issue: "address: There are four address forms. Make one.",
    agents: ["gemini"],
    waits: "ended",
  },
  {
    title: "Seed data for the demo shop",
    issue: "secret: Fill the demo shop with data.",
    agents: ["claude"],
    waits: "ended",
  },
  {
    title: "Stock search under 50 ms at 100,000 items",
    issue: "broken: Searching the stock takes two seconds.",
    agents: ["gemini"],
    waits: "ended",
  },
  {
    title: "Limit password reset by account and IP",
    issue: "slow: Resetting a password can be asked for without limit. Limit it by account and by IP.",
    agents: ["claude", "codex"],
    waits: "detached",
  },
  {
    title: "Rotate session keys without logging people out",
    issue: "slow: Session keys never change.",
    agents: ["codex"],
    waits: "detached",
  },
  {
    title: "Publish the docs in Japanese",
    issue: "slow: The docs are in English only.",
    agents: ["claude"],
    waits: "detached",
  },
  {
    title: "Move cron jobs to a queue",
    issue: "slow: Cron jobs are lost when a machine restarts.",
    agents: ["codex"],
    waits: "detached",
  },
  {
    title: "Dark mode for the docs site",
    issue: "slow: The docs are too bright at night.",
    agents: ["claude"],
    waits: "detached",
  },
];

/** A program that works like an agent, without a model. */
export const AGENT = `name=$1
word=$(printf '%s' "$TAZUNA_INSTRUCTION" | head -n 1 | cut -d: -f1)
say() { echo "$1"; sleep 0.2; }
case $word in
write)
  say "Reading src/shop.ts"
  printf 'export function price(cents: number): string {\\n  return (cents / 100).toFixed(2);\\n}\\n\\nexport const by = "%s";\\n' "$name" > src/price.ts
  printf '\\n%s worked here.\\n' "$name" >> README.md
  say "Wrote src/price.ts and told of it in README.md." ;;
import)
  say "Reading src/import/run-import.ts"
  case $name in
  claude) sed -i 's/for (const batch of chunk(rows)) {/for (const batch of chunk(rows, from)) {/; s/  await db.insert(batch.rows);/  await db.insert(batch.rows);\\n    await checkpoint.save(file, batch.index);/' src/import/run-import.ts
    printf 'export const checkpoint = new Map<string, number>();\\n' > src/import/checkpoint.ts ;;
  codex) sed -i 's/await db.insert(batch.rows);/await db.transaction((tx) => tx.insert(batch.rows));/' src/import/run-import.ts ;;
  gemini) printf 'export class ImportJob {\\n  state = "idle";\\n}\\n' > src/import/run-import.ts
    echo fail > .fail ;;
  esac
  say "The import goes on where it was." ;;
nothing) say "The banner has been there since June." ;;
address)
  # Once more: long enough for a colleague to push meanwhile.
  case $TAZUNA_INSTRUCTION in *"once more"*) sleep 5 ;; esac
  printf 'export const address = "%s %s";\\n' "$name" "$RANDOM" > src/address/form.ts
  say "One form instead of four." ;;
secret)
  printf 'export const key = "ghp_%s";\\n' "$(tr -dc 'A-Za-z0-9' < /dev/urandom | head -c 36)" > src/dev.ts
  say "Wrote src/dev.ts." ;;
broken) echo fail > .fail; printf 'export const search = () => [];\\n' > src/search.ts; say "Search is fast now." ;;
*)
  printf 'export const limiter = { perAccount: 5, perIp: 20 };\\n' > src/limiter.ts
  say "Edit src/limiter.ts"
  sleep 900 ;;
esac
`;

/** What the repository holds before. */
export const SOURCE_FILES: Readonly<Record<string, string>> = {
  "src/shop.ts": 'export const shop = "kura";\n',
  "src/address/form.ts": 'export const address = "one of four";\n',
  "src/import/run-import.ts": `import { chunk } from "./chunk";
import { db } from "../db";

/** Reads a file of rows, and stores them batch by batch. */
export async function runImport(file: string): Promise<number> {
  const rows = parseRows(open(file));
  let total = 0;
  for (const batch of chunk(rows)) {
    await db.insert(batch.rows);
    total += batch.rows.length;
  }
  return total;
}
`,
  "src/import/chunk.ts": "export const chunk = <T>(rows: readonly T[]) => [rows];\n",
  "src/db.ts": "export const db = { insert: async (_rows: unknown) => undefined };\n",
  ".tazuna/config.json": JSON.stringify({
    checks: [
      { name: "test", run: "sh test.sh", required: true },
      { name: "lint", run: "sh lint.sh", required: false },
    ],
  }),
  "test.sh":
    "if [ -f .fail ]; then echo '2 of 96 failed: reset-limiter, two accounts'; exit 1; fi; echo '96 passed'\n",
  "lint.sh": "echo 'no findings'\n",
};
