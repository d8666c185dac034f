/** Reads the questions in a run's mailbox, where an agent can leave anything, and puts the answers beside them. */
import { type Dirent, lstatSync, mkdirSync, opendirSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "../../utils/files/atomic-write.ts";
import { type PinnedFolder, pinFolder } from "../../utils/files/pinned-folder.ts";
import { readPlainFile } from "../../utils/paths/read-plain-file.ts";
import { tryOr } from "../../utils/values/try-or.ts";
import {
  answeredName,
  askedName,
  idInName,
  MAILBOX,
  MAX_LETTER_BYTES,
  type MailboxAnswer,
  type MailboxQuestion,
  parseQuestion,
} from "./letters.ts";

/** What became of one file of the agent's folder. */
interface Letter {
  readonly id: string;
  /** Null if the file is no question. */
  readonly question: MailboxQuestion | null;
}

interface Mailbox {
  /** Absolute; an agent writes into it. */
  readonly asked: string;
  /**
   * Questions that are not `known`, in no order. `most` limits them. A folder that an agent filled is read in part, and
   * a folder that it replaced is not read.
   */
  newLetters(options: { readonly known: ReadonlySet<string>; readonly most: number }): readonly Letter[];
  /** When its asker gave the last sign of life, in milliseconds since 1970; null if it took the question back. */
  lastSign(id: string): number | null;
  /** Whether an answer to it was put there. */
  isAnswered(id: string): boolean;
  /** May be repeated. Throws the file system's error. */
  answer(id: string, answer: MailboxAnswer): Promise<void>;
}

/** Entries of the agent's folder that one look reads. Ours are few, and an agent may make very many. */
const MAX_ENTRIES = 1_000;

/** Makes the folders anew if they are missing. `folder` is absolute, below an existing folder. */
export function openMailbox(folder: string): Mailbox {
  for (const name of Object.values(MAILBOX)) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  const within = <Value>(name: string, use: (pinned: PinnedFolder) => Value): Value | null => {
    // No part of the path may be a link: the agent's own folder could then lead anywhere.
    const pinned = pinFolder(folder, join(folder, name), { missing: "refuse" });
    if (!pinned.ok) return null;
    try {
      return use(pinned.folder);
    } finally {
      pinned.folder.close();
    }
  };
  return {
    asked: join(folder, MAILBOX.asked),
    newLetters: ({ known, most }) =>
      within(MAILBOX.asked, (pinned) =>
        newIds(pinned, known)
          .slice(0, most)
          .map((id) => ({ id, question: readQuestion(pinned, id) })),
      ) ?? [],
    lastSign: (id) =>
      within(MAILBOX.asked, (pinned) => {
        const stats = lstatSync(pinned.at(askedName(id)), { throwIfNoEntry: false });
        return stats?.isFile() ? stats.mtimeMs : null;
      }),
    isAnswered: (id) =>
      within(
        MAILBOX.answered,
        (pinned) => lstatSync(pinned.at(answeredName(id)), { throwIfNoEntry: false }) !== undefined,
      ) ?? false,
    answer: async (id, answer) => {
      const pinned = pinFolder(folder, join(folder, MAILBOX.answered), { missing: "refuse" });
      if (!pinned.ok) throw new Error(pinned.message);
      try {
        await writeFileAtomic(pinned.folder.at(answeredName(id)), JSON.stringify(answer));
      } finally {
        pinned.folder.close();
      }
    },
  };
}

function newIds(pinned: PinnedFolder, known: ReadonlySet<string>): readonly string[] {
  return namesIn(pinned.at(".")).flatMap((name) => {
    const id = idInName(name);
    return id === null || known.has(id) ? [] : [id];
  });
}

/** The first names of a folder, which is never read whole. */
function namesIn(path: string): readonly string[] {
  return tryOr(() => {
    const folder = opendirSync(path);
    try {
      const names: string[] = [];
      for (let read = 0; read < MAX_ENTRIES; read++) {
        const entry: Dirent | null = folder.readSync();
        if (entry === null) break;
        names.push(entry.name);
      }
      return names;
    } finally {
      folder.closeSync();
    }
  }, []);
}

function readQuestion(pinned: PinnedFolder, id: string): MailboxQuestion | null {
  const text = readPlainFile(pinned.at(askedName(id)), MAX_LETTER_BYTES);
  return text === null ? null : parseQuestion(text);
}
