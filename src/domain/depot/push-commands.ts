/** Reads from the beginning of a push which references it would change, before git sees it. */

export interface PushCommand {
  /** The ids before and after; zeros for "does not exist". */
  readonly from: string;
  readonly to: string;
  readonly ref: string;
}

/** So much of a push is read at most for its commands. */
export const MAX_COMMAND_BYTES = 4 * 1024 * 1024;

const COMMAND = /^([0-9a-f]{40}|[0-9a-f]{64}) ([0-9a-f]{40}|[0-9a-f]{64}) (refs\/[^\0\n ]+)$/;

/**
 * The commands of a `git-receive-pack` request (git's pkt-lines up to the first flush). Null if it is anything else, or
 * if its commands do not end within `bytes`. A push without commands only asks whether it would be let in.
 */
export function readPushCommands(bytes: Uint8Array): readonly PushCommand[] | null {
  const commands: PushCommand[] = [];
  const decoder = new TextDecoder();
  for (let at = 0; ; ) {
    const head = decoder.decode(bytes.subarray(at, at + 4));
    if (!/^[0-9a-f]{4}$/i.test(head)) return null;
    const length = Number.parseInt(head, 16);
    if (length === 0) return commands;
    if (length <= 4 || at + length > bytes.length) return null;
    const [line = ""] = decoder.decode(bytes.subarray(at + 4, at + length)).split("\0", 1);
    at += length;
    const [, from, to, ref] = COMMAND.exec(line.replace(/\n$/, "")) ?? [];
    if (from === undefined || to === undefined || ref === undefined) return null;
    commands.push({ from, to, ref });
  }
}

export function isNothing(id: string): boolean {
  return /^0+$/.test(id);
}
