/** Leaves a question in the mailbox of a run, and waits for the answer of a person. */
import { rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "../../utils/files/atomic-write.ts";
import { watchFiles } from "../../utils/files/file-changes.ts";
import { readPlainFile } from "../../utils/paths/read-plain-file.ts";
import { newId } from "../../utils/values/ids.ts";
import {
  answeredName,
  askedName,
  MAILBOX,
  MAX_LETTER_BYTES,
  type MailboxAnswer,
  type MailboxQuestion,
  parseAnswer,
  SIGN_OF_LIFE_MS,
} from "./letters.ts";

/**
 * `mailbox` is absolute. Waits as long as it takes; an aborted signal takes the question back. The question goes when
 * this ends, however that is. If this process is killed, the missing signs of life take it back.
 */
export async function askByMailbox(
  mailbox: string,
  question: MailboxQuestion,
  { signal }: { readonly signal: AbortSignal | undefined },
): Promise<MailboxAnswer> {
  const id = newId();
  const asked = join(mailbox, MAILBOX.asked, askedName(id));
  try {
    await writeFileAtomic(asked, JSON.stringify(question));
    return await waitForAnswer({ mailbox, id, asked, signal });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return withdrawn(`The question could not be handed over (${code}).`);
  } finally {
    rmSync(asked, { force: true });
  }
}

interface Waiting {
  readonly mailbox: string;
  readonly id: string;
  /** Absolute path of the question's file. */
  readonly asked: string;
  readonly signal: AbortSignal | undefined;
}

async function waitForAnswer({ mailbox, id, asked, signal }: Waiting): Promise<MailboxAnswer> {
  const folder = join(mailbox, MAILBOX.answered);
  const name = answeredName(id);
  const changes = watchFiles({
    folder,
    files: [name],
    pollMs: SIGN_OF_LIFE_MS,
    signals: signal === undefined ? [] : [signal],
  });
  try {
    for (;;) {
      if (signal?.aborted) return withdrawn("The question was taken back.");
      const text = readPlainFile(join(folder, name), MAX_LETTER_BYTES);
      if (text !== null) return parseAnswer(text) ?? withdrawn("The answer could not be read.");
      await changes.next();
      const now = new Date();
      utimesSync(asked, now, now);
    }
  } finally {
    changes.close();
  }
}

function withdrawn(reason: string): MailboxAnswer {
  return { kind: "withdrawn", reason };
}
