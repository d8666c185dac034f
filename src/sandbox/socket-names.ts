/** Reads the names of unix sockets from Linux's table of them. */

/**
 * `Num RefCount Protocol Flags Type St Inode Path`: seven numbers, then the name as it was bound, which may contain
 * spaces and line feeds.
 */
const ENTRY = /^[0-9a-f]+:(?: +[0-9a-f]+){6} (.+)$/is;
const NEXT_ENTRY = /\n(?=[0-9a-f]+: [0-9a-f]{8} )/i;

/**
 * The names in `/proc/net/unix`; absolute or relative. Names that begin with `@` belong to the network, not to the
 * file system.
 */
export function socketNames(table: string): readonly string[] {
  return table
    .replace(/\n$/, "")
    .split(NEXT_ENTRY)
    .flatMap((entry) => ENTRY.exec(entry)?.[1] ?? [])
    .filter((name) => !name.startsWith("@"));
}
