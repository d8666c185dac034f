/** Lets one of all engines on a Postgres tell a webhook of a fact. Each of them may have it in its settings. */
import { createHash } from "node:crypto";
import { claimNotice, endNotice, forgetNotices } from "../../storage/team/notices.ts";
import type { Uses } from "../core/context-parts.ts";

type TurnContext = Uses<"db" | "owner" | "configuration">;

interface Turn {
  /** What is to be done: tell it, nothing any more, or ask again after so many milliseconds. */
  readonly go: "tell" | "over" | { readonly againMs: number };
  /** It was told, or given up. */
  end(): Promise<void>;
}

/** Another engine is soon done. If it is not, its time must be over first. */
const LOOK_MS = 3_000;

/** `forMs`: how long the caller may need until it asks again, or ends its turn. */
export async function takeTurn(
  context: TurnContext,
  { seq, forMs }: { readonly seq: number; readonly forMs: number },
): Promise<Turn> {
  const hook = await hookOf(context);
  if (hook === null) return { go: "tell", end: async () => undefined };
  const { db, owner } = context;
  const turn = await claimNotice(db, { hook, seq, worker: owner, forMs });
  return {
    go: turn === "mine" ? "tell" : turn === "over" ? "over" : { againMs: Math.min(turn.leftMs + 1, LOOK_MS) },
    end: () => endNotice(db, { hook, seq }),
  };
}

/** Forgets what nobody would tell any more. */
export async function forgetTurns({ db }: Uses<"db">, olderThanMs: number): Promise<void> {
  if (db.kind === "postgres") await forgetNotices(db, olderThanMs);
}

/** Null if nobody else can tell it: an SQLite serves one engine, and without an address nothing is told. */
async function hookOf({ db, configuration }: TurnContext): Promise<string | null> {
  if (db.kind === "sqlite") return null;
  const webhook = (await configuration(null)).map(({ without }) => without.notify.webhook).unwrapOr(null);
  return webhook === null ? null : createHash("sha256").update(webhook).digest("hex");
}
